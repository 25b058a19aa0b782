import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { type Machine, runningMachine } from "../fixtures/machine.ts";

vi.setConfig({ testTimeout: 60_000 });

const daily = { backups: { frequency: "daily" } };
const compose = "opt/livekit/docker-compose.yaml";
const archive = "var/backups/livekit";

function archives(server: Machine): string[] {
  return server.has(archive) ? readdirSync(server.path(archive)).sort() : [];
}

function versionOf(server: Machine): string {
  return /livekit-server:(\S+)/.exec(server.read(compose))?.[1] ?? "";
}

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

test("an update runs the new images when all services are healthy, after a backup", () => {
  using server = runningMachine(daily);
  server.set("registry-livekit", "sha256:newer\n");
  const { status, said } = server.run("update");
  expect(said).toContain("Updated. All services are healthy.");
  expect(status).toBe(0);
  expect(server.told("running/livekit")).toContain("sha256:newer");
  expect(archives(server)).toHaveLength(1);
  expect(server.has("opt/livekit/state/updating")).toBe(false);
});

test("an update without newer images says so and restarts nothing", () => {
  using server = runningMachine();
  expect(server.run("update")).toMatchObject({ status: 0, said: "Everything is up to date.\n" });
  expect(server.calls()).not.toContain("compose up");
});

test("an update whose service is unhealthy goes back to the images from before", () => {
  using server = runningMachine();
  const before = server.told("running/livekit");
  server.set("registry-livekit", "sha256:broken\n");
  server.set("bad-images", "sha256:broken\n");
  const { status, said } = server.run("update");
  expect(said).toContain("The update failed. The versions from before run again.");
  expect(status).toBe(1);
  expect(server.told("running/livekit")).toBe(before);
});

test("a version that is unhealthy leaves the Compose file as it was", () => {
  using server = runningMachine();
  const before = server.read(compose);
  server.set("bad-images", "sha256:livekit/livekit-server:v1.13.9\n");
  expect(server.run("update", ["--to", "livekit=v1.13.9"]).status).toBe(1);
  expect(server.read(compose)).toBe(before);
  expect(server.told("running/livekit")).toContain("v1.13.5");
});

test("update --to changes the version of that service alone", () => {
  using server = runningMachine({ ingress: "both" });
  const before = server.read(compose);
  expect(server.run("livekit-deploy", ["update", "--to", "livekit=v1.13.6"]).status).toBe(0);
  expect(server.read(compose)).toBe(
    before.replace("livekit-server:v1.13.5", "livekit-server:v1.13.6"),
  );
});

test("whoever asks for it follows the latest tag, and goes back from a bad one as well", () => {
  using server = runningMachine();
  const before = server.read(compose);
  expect(server.run("update", ["--to", "livekit=latest"]).status).toBe(0);
  expect(versionOf(server)).toBe("latest");
  server.set("registry-livekit", "sha256:broken\n");
  server.set("bad-images", "sha256:broken\n");
  expect(server.run("update").status).toBe(1);
  expect(server.told("running/livekit")).toBe(
    "livekit/livekit-server:latest sha256:livekit/livekit-server:latest\n",
  );
  server.unset("registry-livekit");
  expect(server.run("update", ["--to", "livekit=v1.13.5"]).status).toBe(0);
  expect(server.read(compose)).toBe(before);
});

test("update --to refuses what is no version, no service here, or known to be bad", () => {
  using server = runningMachine();
  const before = server.read(compose);
  for (const target of [
    "livekit=newest",
    "livekit=v1;id",
    "livekit=v1.13.6\nx",
    "egress=v1.14.1",
    "livekit=v1.10.0",
    "",
    "livekit",
  ])
    expect(server.run("update", ["--to", target]).status, target).toBe(64);
  expect(server.read(compose)).toBe(before);
  expect(server.calls()).not.toContain("pull");
});

test("an update that cannot fetch changes nothing", () => {
  using server = runningMachine();
  const before = server.read(compose);
  server.set("pull-fails");
  const { status, said } = server.run("update", ["--to", "livekit=v1.13.6"]);
  expect(said).toContain("The new images could not be fetched. Nothing was changed.");
  expect(status).toBe(1);
  expect(server.read(compose)).toBe(before);
  expect(server.calls()).not.toContain("compose up");
});

test("an update does not begin on a full disk or without its backup", () => {
  using full = runningMachine();
  full.set("disk-used", "97");
  expect(full.run("update").said).toMatch(/Only \d+ MiB of disk are free, 2048 are needed/);
  using unsaved = runningMachine(daily);
  unsaved.set("redis-refuses");
  expect(unsaved.run("update").said).toContain("The backup before the update failed.");
  expect(full.calls() + unsaved.calls()).not.toContain("pull");
});

/** The calls that stop or start containers, in their order. */
function stopsAndStarts(server: Machine): string[] {
  return server
    .calls()
    .split("\n")
    .filter((call) => /^docker compose (stop|up)/.test(call))
    .map((call) => call.replace(/^docker compose (\S+ ?)(-d.*)?/, "$1").trim());
}

test("calls, recordings and streams end before anything else stops: by stop, reload, restart and update", () => {
  using server = runningMachine({ ingress: "both", recording: { kind: "local" } });
  for (const [verb, expected] of [
    ["stop", ["stop livekit egress ingress", "stop"]],
    ["start", ["up"]],
    ["reload", ["stop livekit egress ingress", "up"]],
    ["restart", ["stop livekit egress ingress", "stop", "up"]],
  ] as const) {
    server.forget();
    expect(server.systemctl(verb, "livekit.service"), verb).toBe(0);
    expect(stopsAndStarts(server), verb).toEqual(expected);
  }
  server.forget();
  for (const service of ["redis", "caddy"]) server.set(`registry-${service}`, "sha256:newer\n");
  expect(server.run("update").status).toBe(0);
  expect(stopsAndStarts(server)).toEqual(["stop livekit egress ingress", "up"]);
  expect(server.isSet("cut-off")).toBe(false);
});

test("going back after a bad update lets calls end as well, and new metrics end none", () => {
  using server = runningMachine({ monitoring: "advanced" });
  expect(server.run("update", ["--to", "prometheus=v3.99.0"]).status).toBe(0);
  expect(stopsAndStarts(server)).toEqual(["up"]);
  server.forget();
  server.set("registry-redis", "sha256:broken\n");
  server.set("bad-images", "sha256:broken\n");
  expect(server.run("update").status).toBe(1);
  expect(stopsAndStarts(server)).toEqual(["stop livekit", "up", "stop livekit", "up"]);
  expect(server.isSet("cut-off")).toBe(false);
});

test("a reload whose new images cannot be fetched leaves everything running", () => {
  using server = runningMachine();
  server.set("pull-fails");
  expect(server.systemctl("reload", "livekit.service")).toBe(1);
  expect(stopsAndStarts(server)).toEqual([]);
});

test("a reboot in the middle of an update goes back to the last good versions at the next start", async () => {
  using server = runningMachine();
  const before = server.read(compose);
  server.set("up-slow");
  const child = server.start("update", ["--to", "livekit=v1.13.6"]);
  child.stdout.resume();
  child.stderr.resume();
  await vi.waitUntil(() => server.isSet("up-began"), { timeout: 20_000 });
  expect(versionOf(server)).toBe("v1.13.6");
  process.kill(-(child.pid ?? 0), "SIGKILL");
  await once(child, "close");
  server.unset("up-slow");
  const { status, said } = server.run("before-start");
  expect(said).toContain("An update was interrupted: going back to the last good versions.");
  expect(status).toBe(0);
  expect(server.read(compose)).toBe(before);
  expect(server.has("opt/livekit/state/updating")).toBe(false);
});

test("of two updates at once, the second changes nothing, nor does a backup, and health looks away", async () => {
  using server = runningMachine();
  server.set("up-slow");
  const first = server.start("update", ["--to", "livekit=v1.13.6"]);
  first.stdout.resume();
  first.stderr.resume();
  await vi.waitUntil(() => server.isSet("up-began"), { timeout: 20_000 });
  for (const name of ["update", "backup"])
    expect(server.run(name)).toEqual({
      status: 75,
      said: "Another update, backup or restore is running. Nothing was changed.\n",
    });
  expect(server.run("health").said).toContain("not looking now");
  // A start of the unit meanwhile must not undo what the update does.
  expect(server.run("before-start").status).toBe(0);
  server.unset("up-slow");
  const [status] = await once(first, "close");
  expect(status).toBe(0);
  expect(versionOf(server)).toBe("v1.13.6");
});

test("a backup restores byte for byte, with modes and owners", () => {
  using server = runningMachine({ ...daily, ingress: "both" });
  const before = state(server);
  const made = server.run("livekit-deploy", ["backup"]);
  expect(made.said).toContain("Backup made: ");
  expect(made.status).toBe(0);
  const [file = ""] = archives(server);
  expect(file).toMatch(/^livekit-\d{8}T\d{6}Z\.tar\.gz$/);
  expect(server.mode(`${archive}/${file}`)).toBe("600");
  spoil(server);
  expect(state(server)).not.toEqual(before);
  const restored = server.run("livekit-deploy", ["restore", server.path(`${archive}/${file}`)]);
  expect(restored.said).toContain("Restored.");
  expect(restored.status).toBe(0);
  expect(state(server)).toEqual(before);
  const calls = server.calls();
  expect(calls.indexOf("stop livekit.service")).toBeLessThan(
    calls.indexOf("start livekit.service"),
  );
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
  const [file = ""] = archives(server);
  expect(file).toMatch(/\.tar\.gz\.age$/);
  const path = server.path(`${archive}/${file}`);
  expect(readFileSync(path).subarray(0, 4).toString()).toBe("age-");
  spoil(server);
  const spoiled = state(server);
  expect(server.run("restore", [path]).said).toContain("Name your age key with --identity.");
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
  const [name = ""] = archives(server);
  const whole = readFileSync(server.path(`${archive}/${name}`));
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
  const unpacked = `rm -rf u; mkdir u; tar -xzf ${archive}/${name} -C u`;
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
    const { status, said } = server.run("restore", [server.path(file)]);
    expect(said, file).toContain("Nothing was changed.");
    expect(status, file).toBe(1);
  }
  expect(state(server)).toEqual(before);
  expect(server.calls()).not.toContain("systemctl");
  expect(server.run("restore", [server.path("foreign"), "--other-domain"]).status).toBe(0);
});

test("a restored state that does not start gives way to the one from before", () => {
  using server = runningMachine();
  server.run("backup");
  const [file = ""] = archives(server);
  spoil(server);
  const before = state(server);
  server.set("start-fails");
  const { status, said } = server.run("restore", [server.path(`${archive}/${file}`)]);
  expect(said).toContain("The earlier state runs again.");
  expect(status).toBe(1);
  expect(state(server)).toEqual(before);
});

test("a reboot in the middle of a restore puts the earlier state back at the next start", async () => {
  using server = runningMachine();
  server.run("backup");
  const [file = ""] = archives(server);
  spoil(server);
  const before = state(server);
  server.command(
    "mv",
    'case "$*" in *restore-stage/files/./livekit.yaml*) : >"$MACHINE/moving"; sleep 60 ;; esac\nexec /bin/mv "$@"',
  );
  const child = server.start("restore", [server.path(`${archive}/${file}`)]);
  child.stdout.resume();
  child.stderr.resume();
  await vi.waitUntil(() => server.isSet("moving"), { timeout: 20_000 });
  process.kill(-(child.pid ?? 0), "SIGKILL");
  await once(child, "close");
  server.command("mv", 'exec /bin/mv "$@"');
  expect(state(server)).not.toEqual(before);
  expect(server.run("before-start").said).toContain("A restore was interrupted");
  expect(state(server)).toEqual(before);
});

test("an interrupted backup leaves no half file, killed or told to stop", async () => {
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
    expect(archives(server).filter((name) => name.startsWith("livekit-"))).toEqual([]);
    if (signal === "SIGTERM") expect(archives(server)).toEqual([]);
  }
  server.command("tar", 'exec /bin/tar "$@"');
  expect(server.run("backup").status).toBe(0);
  expect(archives(server)).toHaveLength(1);
});

test("no backup is made without room, with a wrong clock, or when Redis refuses", () => {
  using server = runningMachine();
  server.set("disk-used", "100");
  expect(server.run("backup").said).toMatch(/MiB of disk are free/);
  server.unset("disk-used");
  server.set("redis-refuses");
  expect(server.run("backup").said).toContain("Redis did not save its data");
  server.unset("redis-refuses");
  server.command("date", "echo 1970");
  expect(server.run("backup").said).toContain("The clock is wrong");
  expect(archives(server)).toEqual([]);
});

test("pruning keeps the newest of 7 days, 5 weeks and 6 months, and strangers' files", () => {
  using server = runningMachine(daily);
  const day = (date: Date) =>
    `livekit-${date.toISOString().slice(0, 10).replaceAll("-", "")}T020000Z.tar.gz`;
  const today = Date.now();
  const days = Array.from({ length: 400 }, (_, age) =>
    day(new Date(today - (age + 1) * 86_400_000)),
  );
  for (const name of days) server.write(`${archive}/${name}`, "old");
  server.write(`${archive}/my-own.tar.gz`, "mine");
  expect(server.run("backup").status).toBe(0);
  const kept = archives(server).filter((name) => name.startsWith("livekit-"));
  const made = kept.at(-1) ?? "";
  expect(server.has(`${archive}/my-own.tar.gz`)).toBe(true);
  const month = (name: string) => name.slice(8, 14);
  expect(new Set(kept.map(month)).size).toBe(6);
  // Today's, six days before it, and of the older ones one for each week and month.
  expect(kept.slice(-7)).toEqual([...days.slice(0, 6).reverse(), made]);
  expect(kept.length).toBeGreaterThanOrEqual(7 + 3 + 4);
  expect(kept.length).toBeLessThanOrEqual(7 + 5 + 6 - 2);
});

test("without a schedule nothing is pruned: every backup made by hand stays", () => {
  using server = runningMachine();
  const earlier = ["20260101", "20260102", "20260103"].map(
    (day) => `livekit-${day}T020000Z.tar.gz`,
  );
  for (const name of earlier) server.write(`${archive}/${name}`, "by hand");
  const { status, said } = server.run("livekit-deploy", ["backup"]);
  expect([status, said]).toEqual([0, expect.not.stringContaining("Removed")]);
  expect(archives(server)).toEqual([...earlier, expect.stringMatching(/^livekit-/)]);
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
  const [file = ""] = archives(server);
  server.write("opt/livekit/My_Notes.yaml", "changed\n");
  rmSync(server.path("opt/livekit/data/caddy/own.key"));
  const restored = server.run("restore", [server.path(`${archive}/${file}`)]);
  expect(restored.said).toContain("Restored.");
  expect(restored.status).toBe(0);
  expect(server.read("opt/livekit/My_Notes.yaml")).toBe("kept\n");
  expect(server.read("opt/livekit/Shared.conf")).toBe("linked\n");
  expect(server.read("opt/livekit/data/caddy/own.key")).toBe("private\n");
});
