import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { expect, test, vi } from "vitest";
import {
  backedUp,
  backupsFolder,
  backupsOn,
  type Machine,
  runningMachine,
} from "../../support/deployments/machine.ts";
import { stateOf } from "../../support/deployments/machine-files.ts";

vi.setConfig({ testTimeout: 60_000 });

const daily = { backups: { frequency: "daily" } };

/** The state changed in every way: other bytes, one file more, one gone. */
function spoil(server: Machine) {
  server.write("opt/livekit/data/redis/dump.rdb", "other");
  server.write("opt/livekit/livekit.yaml", "port: 1\n");
  server.write("opt/livekit/data/caddy/later", "later");
  spawnSync("rm", [server.path("opt/livekit/data/caddy/certificates/livekit.example.com.key")]);
}

test("a backup restores byte for byte, with modes and owners", () => {
  using server = runningMachine({ ...daily, ingress: "both" });
  const before = stateOf(server);
  const made = server.run("livekit-deploy", ["backup"]);
  expect(made.output).toContain("Backup made: ");
  expect(made.status).toBe(0);
  const [file = ""] = backupsOn(server);
  expect(file).toMatch(/^livekit-by-hand-\d{8}T\d{6}Z\.tar\.gz$/);
  expect(server.mode(`${backupsFolder}/${file}`)).toBe("600");
  spoil(server);
  expect(stateOf(server)).not.toEqual(before);
  const restored = server.run("livekit-deploy", [
    "restore",
    server.path(`${backupsFolder}/${file}`),
  ]);
  expect(restored.output).toContain("Restored.");
  expect(restored.status).toBe(0);
  expect(stateOf(server)).toEqual(before);
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
  const before = stateOf(server);
  expect(server.run("backup").status).toBe(0);
  const [file = ""] = backupsOn(server);
  expect(file).toMatch(/\.tar\.gz\.age$/);
  const path = server.path(`${backupsFolder}/${file}`);
  expect(readFileSync(path).subarray(0, 4).toString()).toBe("age-");
  spoil(server);
  const spoiled = stateOf(server);
  expect(server.run("restore", [path]).output).toContain("Name your age key with --identity.");
  const other = server.path("other.txt");
  spawnSync("age-keygen", ["-o", other]);
  expect(server.run("restore", [path, "--identity", other])).toMatchObject({ status: 1 });
  server.write("cut.age", readFileSync(path).subarray(0, -10));
  expect(server.run("restore", [server.path("cut.age"), "--identity", identity]).status).toBe(1);
  expect(stateOf(server)).toEqual(spoiled);
  expect(server.calls()).not.toContain("stop livekit.service");
  expect(server.run("restore", [path, "--identity", identity]).status).toBe(0);
  expect(stateOf(server)).toEqual(before);
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
  const before = stateOf(server);
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
  expect(stateOf(server)).toEqual(before);
  expect(server.calls()).not.toContain("systemctl");
  expect(server.run("restore", [server.path("foreign"), "--other-domain"]).status).toBe(0);
});

test("a restored state that does not start gives way to the one from before", () => {
  using server = runningMachine();
  server.run("backup");
  const [file = ""] = backupsOn(server);
  spoil(server);
  const before = stateOf(server);
  server.set("start-fails");
  const { status, output } = server.run("restore", [server.path(`${backupsFolder}/${file}`)]);
  expect(output).toContain("The earlier state runs again.");
  expect(status).toBe(1);
  expect(stateOf(server)).toEqual(before);
});

test("a reboot in the middle of a restore puts the earlier state back at the next start", async () => {
  using server = runningMachine();
  server.run("backup");
  const [file = ""] = backupsOn(server);
  spoil(server);
  const before = stateOf(server);
  server.command(
    "mv",
    'case "$*" in *before-restore*) ;; *livekit.yaml.new*) : >"$MACHINE/moving"; sleep 60 ;; esac\nexec /bin/mv "$@"',
  );
  await server.cutPower("restore", [server.path(`${backupsFolder}/${file}`)], "moving");
  server.command("mv", 'exec /bin/mv "$@"');
  expect(stateOf(server)).not.toEqual(before);
  expect(server.run("before-start").output).toContain("A restore was interrupted");
  expect(stateOf(server)).toEqual(before);
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

test("M10: what was here before a restore or a bundle, with its secrets, is removed after a week and not before", () => {
  using server = runningMachine(daily);
  const file = backedUp(server);
  expect(server.run("restore", [file]).output).toContain("in state/before-restore for seven days");
  server.write("opt/livekit/state/before-apply/files/opt/livekit/livekit.yaml", "port: 1\n");
  server.write("opt/livekit/state/apply-run/apply.sh", "exit 0\n");
  const folders = ["before-restore", "before-apply", "apply-run"];
  const afterDays = (days: number) => {
    const then = Date.now() / 1_000 - days * 86_400;
    for (const name of folders) utimesSync(server.path(`opt/livekit/state/${name}`), then, then);
    server.run("health");
    return folders.filter((name) => server.has(`opt/livekit/state/${name}`));
  };
  expect(afterDays(6.5)).toEqual(folders);
  const secrets = "opt/livekit/state/before-restore/files/opt/livekit/secrets.env";
  expect(server.mode(secrets)).toBe("600");
  expect(afterDays(7.5)).toEqual([]);
});
