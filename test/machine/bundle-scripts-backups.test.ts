import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { expect, test, vi } from "vitest";
import {
  backupsFolder,
  backupsOn,
  type Machine,
  runningMachine,
} from "../support/deployments/machine.ts";

vi.setConfig({ testTimeout: 60_000 });

const daily = { backups: { frequency: "daily" } };

/** Everything that a backup is for: each file's bytes, mode and owner. */
function state(server: Machine): Record<string, string> {
  const folder = server.path("opt/livekit");
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => !/^(state|bin|out)(\/|$)/.test(name))
      .sort()
      .map((name) => {
        const { mode, uid, gid } = statSync(`${folder}/${name}`);
        const bytes = statSync(`${folder}/${name}`).isFile()
          ? readFileSync(`${folder}/${name}`, "base64")
          : "";
        return [name, `${mode.toString(8)} ${uid}:${gid} ${bytes}`];
      }),
  );
}

/** The state changed in every way: other bytes, one file more, one gone. */
function spoil(server: Machine) {
  server.write("opt/livekit/data/redis/dump.rdb", "other");
  server.write("opt/livekit/livekit.yaml", "port: 1\n");
  server.write("opt/livekit/data/caddy/later", "later");
  spawnSync("rm", [server.path("opt/livekit/data/caddy/certificates/livekit.example.com.key")]);
}

test("a backup restores byte for byte, with modes and owners", () => {
  using server = runningMachine({ ...daily, ingress: "both" });
  const before = state(server);
  const made = server.run("livekit-deploy", ["backup"]);
  expect(made.output).toContain("Backup made: ");
  expect(made.status).toBe(0);
  const [file = ""] = backupsOn(server);
  expect(file).toMatch(/^livekit-by-hand-\d{8}T\d{6}Z\.tar\.gz$/);
  expect(server.mode(`${backupsFolder}/${file}`)).toBe("600");
  spoil(server);
  expect(state(server)).not.toEqual(before);
  const restored = server.run("livekit-deploy", [
    "restore",
    server.path(`${backupsFolder}/${file}`),
  ]);
  expect(restored.output).toContain("Restored.");
  expect(restored.status).toBe(0);
  expect(state(server)).toEqual(before);
  const calls = server.calls();
  expect(calls.indexOf("stop livekit.service")).toBeLessThan(
    calls.indexOf("start livekit.service"),
  );
});

test("a restore reaches the containers of a unit that failed", () => {
  using server = runningMachine();
  server.run("backup");
  const [file = ""] = backupsOn(server);
  const before = server.read("opt/livekit/livekit.yaml");
  server.write("opt/livekit/livekit.yaml", "port: broken\n");
  server.systemctl("reload", "livekit.service");
  server.set("unit-failed");
  expect(server.controlContent("read-livekit")).toBe("port: broken\n");
  const restored = server.run("restore", [server.path(`${backupsFolder}/${file}`)]);
  expect([restored.status, restored.output]).toEqual([0, expect.stringContaining("Restored.")]);
  expect(server.controlContent("read-livekit")).toBe(before);
});

test("an encrypted backup opens with its key only, and holds no readable byte", () => {
  using server = runningMachine();
  const identity = server.path("key.txt");
  const generated = spawnSync("age-keygen", ["-o", identity], { encoding: "utf8" });
  expect(generated.error?.message ?? "", "apt-get install -y --no-install-recommends age").toBe("");
  const recipient = /age1\w+/.exec(generated.stderr)?.[0] ?? "";
  const env = server.read("opt/livekit/deployment.env");
  server.write(
    "opt/livekit/deployment.env",
    env.replace("BACKUP_RECIPIENT=''", `BACKUP_RECIPIENT='${recipient}'`),
  );
  const before = state(server);
  expect(server.run("backup").status).toBe(0);
  const [file = ""] = backupsOn(server);
  expect(file).toMatch(/\.tar\.gz\.age$/);
  const path = server.path(`${backupsFolder}/${file}`);
  expect(readFileSync(path).subarray(0, 4).toString()).toBe("age-");
  spoil(server);
  const spoiled = state(server);
  expect(server.run("restore", [path]).output).toContain("Name your age key with --identity.");
  const other = server.path("other.txt");
  spawnSync("age-keygen", ["-o", other]);
  expect(server.run("restore", [path, "--identity", other])).toMatchObject({ status: 1 });
  server.write("cut.age", readFileSync(path).subarray(0, -10));
  expect(server.run("restore", [server.path("cut.age"), "--identity", identity]).status).toBe(1);
  expect(state(server)).toEqual(spoiled);
  expect(server.calls()).not.toContain("stop livekit.service");
  expect(server.run("restore", [path, "--identity", identity]).status).toBe(0);
  expect(state(server)).toEqual(before);
});

test("a restore refuses every wrong file before it touches anything", () => {
  using server = runningMachine();
  server.run("backup");
  const [name = ""] = backupsOn(server);
  const whole = readFileSync(server.path(`${backupsFolder}/${name}`));
  const flipped = Buffer.from(whole);
  flipped[whole.length >> 1] = (flipped[whole.length >> 1] ?? 0) ^ 255;
  server.write("cut", whole.subarray(0, whole.length - 20));
  server.write("flipped", flipped);
  server.write("empty", "");
  server.write("text", "hello\n");
  const pack = (target: string, script: string) =>
    spawnSync("sh", ["-c", script], {
      cwd: server.path("."),
      env: { ...process.env, OUT: server.path(target) },
    });
  const unpacked = `rm -rf u; mkdir u; tar -xzf ${backupsFolder}/${name} -C u`;
  pack("changed", `${unpacked}; echo x >>u/livekit.yaml; tar -czf "$OUT" -C u .`);
  pack("linked", `${unpacked}; ln -s /etc/passwd u/extra.conf; tar -czf "$OUT" -C u .`);
  pack("stranger", `${unpacked}; mkdir u/bin; echo x >u/bin/run; tar -czf "$OUT" -C u .`);
  pack(
    "above",
    `${unpacked}; tar -czPf "$OUT" -C u . --transform 's|^./redis.conf|./data/caddy/../../../x|'`,
  );
  pack(
    "foreign",
    `${unpacked}; sed -i "s/^DOMAIN=.*/DOMAIN='other.example.com'/" u/deployment.env
    (cd u && find . -type f ! -name manifest.sha256 -print0 | sort -z | xargs -0 sha256sum >../m); mv m u/manifest.sha256; tar -czf "$OUT" -C u .`,
  );
  const before = state(server);
  server.forget();
  for (const file of [
    "cut",
    "flipped",
    "empty",
    "text",
    "changed",
    "linked",
    "stranger",
    "above",
    "foreign",
    "absent",
  ]) {
    const { status, output } = server.run("restore", [server.path(file)]);
    expect(output, file).toContain("Nothing was changed.");
    expect(status, file).toBe(1);
  }
  expect(state(server)).toEqual(before);
  expect(server.calls()).not.toContain("systemctl");
  expect(server.run("restore", [server.path("foreign"), "--other-domain"]).status).toBe(0);
});

test("a restored state that does not start gives way to the one from before", () => {
  using server = runningMachine();
  server.run("backup");
  const [file = ""] = backupsOn(server);
  spoil(server);
  const before = state(server);
  server.set("start-fails");
  const { status, output } = server.run("restore", [server.path(`${backupsFolder}/${file}`)]);
  expect(output).toContain("The earlier state runs again.");
  expect(status).toBe(1);
  expect(state(server)).toEqual(before);
});

test("a reboot in the middle of a restore puts the earlier state back at the next start", async () => {
  using server = runningMachine();
  server.run("backup");
  const [file = ""] = backupsOn(server);
  spoil(server);
  const before = state(server);
  server.command(
    "mv",
    'case "$*" in *restore-stage/files/./livekit.yaml*) : >"$MACHINE/moving"; sleep 60 ;; esac\nexec /bin/mv "$@"',
  );
  const child = server.start("restore", [server.path(`${backupsFolder}/${file}`)]);
  child.stdout.resume();
  child.stderr.resume();
  await vi.waitUntil(() => server.isSet("moving"), { timeout: 20_000 });
  process.kill(-(child.pid ?? 0), "SIGKILL");
  await once(child, "close");
  server.command("mv", 'exec /bin/mv "$@"');
  expect(state(server)).not.toEqual(before);
  expect(server.run("before-start").output).toContain("A restore was interrupted");
  expect(state(server)).toEqual(before);
});

test("an interrupted backup leaves no half file, by SIGTERM or SIGKILL", async () => {
  using server = runningMachine();
  server.command("tar", ': >"$MACHINE/packing"; /bin/tar "$@" && sleep 30');
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    server.unset("packing");
    const child = server.start("backup");
    child.stdout.resume();
    child.stderr.resume();
    await vi.waitUntil(() => server.isSet("packing"), { timeout: 20_000 });
    process.kill(-(child.pid ?? 0), signal);
    await once(child, "close");
    expect(backupsOn(server).filter((name) => name.startsWith("livekit-"))).toEqual([]);
    if (signal === "SIGTERM") expect(backupsOn(server)).toEqual([]);
  }
  server.command("tar", 'exec /bin/tar "$@"');
  expect(server.run("backup").status).toBe(0);
  expect(backupsOn(server)).toHaveLength(1);
});

test("no backup is made without room, with a wrong clock, or when Redis refuses", () => {
  using server = runningMachine();
  server.set("disk-used", "100");
  expect(server.run("backup").output).toMatch(/MiB of disk are free/);
  server.unset("disk-used");
  server.set("redis-refuses");
  expect(server.run("backup").output).toContain("Redis did not save its data");
  server.unset("redis-refuses");
  server.command("date", "echo 1970");
  expect(server.run("backup").output).toContain("The clock is wrong");
  expect(backupsOn(server)).toEqual([]);
});

test("the room that a backup needs follows what it takes along, and metrics are not", () => {
  using server = runningMachine({ monitoring: "advanced" });
  server.set("disk-used", "99");
  server.command(
    "du",
    `case "$*" in *" data") printf '900000\\tdata\\n' ;; *) exec /usr/bin/du "$@" ;; esac`,
  );
  expect(server.run("backup").output).toContain("Backup made:");
});

test("pruning keeps the newest of 7 days, 5 weeks and 6 months, and strangers' files", () => {
  using server = runningMachine(daily);
  const day = (date: Date) =>
    `livekit-${date.toISOString().slice(0, 10).replaceAll("-", "")}T020000Z.tar.gz`;
  const today = Date.now();
  const days = Array.from({ length: 400 }, (_, age) =>
    day(new Date(today - (age + 1) * 86_400_000)),
  );
  for (const name of days) server.write(`${backupsFolder}/${name}`, "old");
  server.write(`${backupsFolder}/my-own.tar.gz`, "mine");
  expect(server.run("backup").status).toBe(0);
  const archives = backupsOn(server).filter((name) => name.startsWith("livekit-"));
  const made = archives.at(-1) ?? "";
  expect(server.has(`${backupsFolder}/my-own.tar.gz`)).toBe(true);
  const month = (name: string) => name.slice(8, 14);
  expect(new Set(archives.map(month)).size).toBe(6);
  // Today's, six days before it, and of the older ones one for each week and month.
  expect(archives.slice(-7)).toEqual([...days.slice(0, 6).reverse(), made]);
  expect(archives.length).toBeGreaterThanOrEqual(7 + 3 + 4);
  expect(archives.length).toBeLessThanOrEqual(7 + 5 + 6 - 2);
});

test("what was made by hand is never pruned, not even on the same day", () => {
  using server = runningMachine(daily);
  expect(server.run("livekit-deploy", ["backup"]).status).toBe(0);
  const [byHand = ""] = backupsOn(server);
  for (let count = 0; count < 2; count++) expect(server.run("backup").status).toBe(0);
  expect(backupsOn(server)).toEqual([byHand, expect.stringMatching(/^livekit-2/)].sort());
});

test("without a schedule nothing is pruned: every backup made by hand stays", () => {
  using server = runningMachine();
  const earlier = ["20260101", "20260102", "20260103"].map(
    (day) => `livekit-${day}T020000Z.tar.gz`,
  );
  for (const name of earlier) server.write(`${backupsFolder}/${name}`, "by hand");
  const { status, output } = server.run("livekit-deploy", ["backup"]);
  expect([status, output]).toEqual([0, expect.not.stringContaining("Removed")]);
  expect(backupsOn(server)).toEqual([...earlier, expect.stringMatching(/^livekit-by-hand-/)]);
});

test("a backup of files that the customer named, or linked, is one that a restore takes", () => {
  using server = runningMachine();
  server.write("opt/livekit/My_Notes.yaml", "kept\n");
  server.write("srv/shared.conf", "linked\n");
  symlinkSync(server.path("srv/shared.conf"), server.path("opt/livekit/Shared.conf"));
  symlinkSync(server.path("nowhere"), server.path("opt/livekit/broken.conf"));
  server.write("opt/livekit/Read me.yaml", "not ours\n");
  server.write("srv/root.key", "private\n", 0o600);
  symlinkSync(server.path("srv/root.key"), server.path("opt/livekit/data/caddy/own.key"));
  expect(server.run("backup").status).toBe(0);
  const [file = ""] = backupsOn(server);
  server.write("opt/livekit/My_Notes.yaml", "changed\n");
  rmSync(server.path("opt/livekit/data/caddy/own.key"));
  const restored = server.run("restore", [server.path(`${backupsFolder}/${file}`)]);
  expect(restored.output).toContain("Restored.");
  expect(restored.status).toBe(0);
  expect(server.read("opt/livekit/My_Notes.yaml")).toBe("kept\n");
  expect(server.read("opt/livekit/Shared.conf")).toBe("linked\n");
  expect(server.read("opt/livekit/data/caddy/own.key")).toBe("private\n");
});
