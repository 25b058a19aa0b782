import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { bundle } from "../support/deployments/bundle.ts";
import { optionsFrom } from "../support/deployments/bundle-cases.ts";
import {
  backupsFolder,
  backupsOn,
  type Machine,
  newlyBootedMachine,
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

/** The version that a server has beside its state: units, firewall, kernel settings and scripts, with their modes. */
function version(server: Machine): Record<string, string> {
  const names = ["etc", "usr", "opt/livekit/bin"].flatMap((folder) =>
    readdirSync(server.path(folder), { recursive: true, encoding: "utf8" })
      .map((name) => `${folder}/${name}`)
      .filter((name) => statSync(server.path(name)).isFile()),
  );
  return Object.fromEntries(
    names.sort().map((name) => [name, `${server.mode(name)} ${server.read(name)}`]),
  );
}

/** Options of a later version, whose firewall, units and scripts are others. */
const later = {
  mediaUdp: "single",
  turnUdpPort: "443",
  backups: { frequency: "none" },
  updates: "weekly",
  security: "high",
};

function backedUp(server: Machine): string {
  expect(server.run("backup").status).toBe(0);
  return server.path(`${backupsFolder}/${backupsOn(server).at(-1)}`);
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
    'case "$*" in *before-restore*) ;; *livekit.yaml.new*) : >"$MACHINE/moving"; sleep 60 ;; esac\nexec /bin/mv "$@"',
  );
  await server.cutPower("restore", [server.path(`${backupsFolder}/${file}`)], "moving");
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

test.for([
  ["on Ubuntu", {}],
  [
    "with everything",
    { ingress: "both", recording: { kind: "local" }, monitoring: "24/7", updates: "weekly" },
  ],
  [
    "with enterprise security",
    {
      security: "enterprise",
      redis: {
        kind: "external",
        address: "redis.example.net:6380",
        ca: ["-----BEGIN CERTIFICATE-----", "bm8gcmVhbCBvbmU=", "-----END CERTIFICATE-----"],
      },
      sshSource: ["203.0.113.7/32"],
      backups: { ageRecipient: `age1${"q".repeat(58)}` },
    },
  ],
  ["on Amazon Linux", { provider: "aws", system: "amazon-linux-2023" }],
] as const)("a backup holds every file of the version %s, with its hash", ([, options]) => {
  const connection = {
    url: "https://console.example.com",
    version: { deployment: "11111111-1111-4111-8111-111111111111", number: 3 },
  };
  using server = newlyBootedMachine(options, connection);
  server.command("age", 'while [ "$1" != -o ]; do shift; done; exec /bin/cp "$3" "$2"');
  const file = backedUp(server);
  const { stdout } = spawnSync("tar", ["-xzOf", file, "./manifest.sha256"], { encoding: "utf8" });
  const saved = stdout.trim().split("\n");
  const made = bundle(
    optionsFrom({ domain: "livekit.example.com", ...options }),
    undefined,
    connection,
  );
  const files = made.files.flatMap(({ installed, content }) =>
    installed?.path.includes("livekit") && !installed.path.endsWith("secrets.env")
      ? [{ path: installed.path, content }]
      : [],
  );
  expect(files.length).toBeGreaterThan(25);
  for (const { path, content } of files) {
    const hash = createHash("sha256").update(content).digest("hex");
    const name = path.startsWith("/opt/livekit/") ? path.slice(13) : `system${path}`;
    expect(saved, path).toContain(`${hash}  ./${name}`);
  }
});

test("a restore onto another version says so first, and brings all of the backup's version back", () => {
  using server = runningMachine({ ...daily, security: "standard" });
  const before = { ...state(server), ...version(server) };
  const file = backedUp(server);
  server.install(later);
  const changed = version(server);
  expect(changed["etc/livekit/firewall.nft"]).not.toBe(before["etc/livekit/firewall.nft"]);
  expect(changed).toHaveProperty(["etc/systemd/system/livekit-update.timer"]);
  server.forget();
  const { status, output } = server.run("restore", [file]);
  expect(output.indexOf("The backup is of other files than this machine has, such as /")).toBe(0);
  expect(output.indexOf("Stopping LiveKit.")).toBeGreaterThan(0);
  expect(output).toContain("Restored.");
  expect(status).toBe(0);
  expect({ ...state(server), ...version(server) }).toEqual(before);
  const calls = server.calls();
  const steps = [
    "docker compose stop livekit",
    "systemctl disable --now livekit-update.timer",
    "systemctl daemon-reload",
    "sysctl -q --system",
    "systemctl reload-or-restart livekit-firewall.service",
    "systemctl start livekit.service",
  ].map((step) => calls.indexOf(step));
  expect(steps).not.toContain(-1);
  expect(steps).toEqual(steps.toSorted((one, other) => one - other));
  expect(calls).toContain("systemctl restart livekit-backup.timer");
});

test("a restore names both versions where the files say theirs, and is silent where they are the same", () => {
  const of = (number: number) => ({
    url: "https://console.example.com",
    version: { deployment: "11111111-1111-4111-8111-111111111111", number },
  });
  using server = runningMachine({}, of(3));
  const file = backedUp(server);
  expect(server.run("restore", [file]).output).not.toMatch(/version|files/);
  for (const { installed, content } of bundle(
    optionsFrom({ domain: "livekit.example.com", ...later }),
    undefined,
    of(5),
  ).files)
    if (installed && installed.path !== "/opt/livekit/secrets.env")
      server.write(installed.path, content, Number.parseInt(installed.mode, 8));
  expect(server.run("restore", [file]).output).toContain(
    "The backup is of version 3, this machine has version 5. All of version 3 is put back:",
  );
  expect(server.read("opt/livekit/version.txt")).toContain(" 3 ");
});

test("another version that does not start gives way to all of the one from before", () => {
  using server = runningMachine({ ...daily, updates: "weekly" });
  const file = backedUp(server);
  server.install({ ...later, updates: "manual" });
  rmSync(server.path("etc/systemd/system/livekit-update.timer"));
  const before = { ...state(server), ...version(server) };
  server.set("start-fails");
  const { status, output } = server.run("restore", [file]);
  expect(output).toContain("The earlier state runs again.");
  expect(status).toBe(1);
  expect({ ...state(server), ...version(server) }).toEqual(before);
  expect(server.has("opt/livekit/state/before-restore")).toBe(false);
});

test("a power cut in a restore of another version puts all of the one from before back at the next start", async () => {
  using server = runningMachine({ ...daily, updates: "weekly" });
  const file = backedUp(server);
  server.install({ ...later, updates: "manual" });
  rmSync(server.path("etc/systemd/system/livekit-update.timer"));
  const before = { ...state(server), ...version(server) };
  server.command(
    "mv",
    'case "$*" in *before-restore*) ;; *livekit-deploy.new*) : >"$MACHINE/moving"; sleep 60 ;; esac\nexec /bin/mv "$@"',
  );
  await server.cutPower("restore", [file], "moving");
  server.command("mv", 'exec /bin/mv "$@"');
  expect(version(server)["etc/livekit/firewall.nft"]).not.toBe(before["etc/livekit/firewall.nft"]);
  server.forget();
  expect(server.run("before-start").output).toContain("A restore was interrupted");
  expect({ ...state(server), ...version(server) }).toEqual(before);
  // LiveKit's own unit may not write into /etc.
  expect(server.calls()).toMatch(/systemd-run -q --collect --wait --pipe \S+restore.sh --recover/);
  expect(server.calls()).toMatch(/nft -f \S+firewall.nft/);
  expect(server.has("opt/livekit/state/before-restore")).toBe(false);
});

test("a backup that is older than this and of another version is restored, and what it lacks is said", () => {
  using server = runningMachine();
  const file = backedUp(server);
  const old = server.path("old.tar.gz");
  const made = spawnSync(
    "sh",
    [
      "-c",
      `mkdir u; tar -xzf "$1" -C u; rm -r u/bin u/system
(cd u && find . -type f ! -name manifest.sha256 -print0 | sort -z | xargs -0 sha256sum >../m); mv m u/manifest.sha256; tar -czf "$2" -C u .`,
      "-",
      file,
      old,
    ],
    { cwd: server.path("."), encoding: "utf8" },
  );
  expect(made.stderr).toBe("");
  const said = "older than backups that hold firewall, units and scripts";
  expect(server.run("restore", [old]).output).not.toContain(said);
  server.install(later);
  const before = version(server);
  const { status, output } = server.run("restore", [old]);
  expect(output).toContain(said);
  expect(status).toBe(0);
  expect(version(server)).toEqual(before);
});

test("the monthly trial restores into a folder and compares what is there then", () => {
  using server = runningMachine(daily);
  server.write("opt/livekit/data/redis/dump.rdb", "REDIS0011");
  backedUp(server);
  expect(server.run("backup-test").output).toContain("can be restored.");
  // A disk that returns other bytes than were written to it.
  server.command(
    "mv",
    '/bin/mv "$@" && case "$*" in *trial/etc/livekit/firewall.nft) echo x >>"$2" ;; esac',
  );
  const { status, output } = server.run("backup-test");
  expect(output).toContain("What was restored in a folder is not what was saved.");
  expect(status).toBe(1);
});

test("what was made before a change stays for seven days, whatever else is made, and goes then", () => {
  using server = runningMachine(daily);
  const name = (age: number, kind = "") =>
    `livekit-${kind}${new Date(Date.now() - age * 86_400_000).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z.tar.gz`;
  const [young, old] = [name(6.9, "before-change-"), name(7.1, "before-change-")];
  for (const each of [young, old]) server.write(`${backupsFolder}/${each}`, "of a change");
  for (let count = 0; count < 2; count++)
    expect(server.run("update", ["--to", `livekit=v1.99.${count}`]).status).toBe(0);
  for (let count = 0; count < 2; count++) expect(server.run("backup").status).toBe(0);
  const names = backupsOn(server);
  const ofChanges = names.filter((each) => each.startsWith("livekit-before-change-"));
  expect(ofChanges).toHaveLength(3);
  expect(ofChanges).toContain(young);
  expect(names).not.toContain(old);
  expect(names).toHaveLength(4);
});

test("what was here before a restore, with its secrets, is removed after a week and not before", () => {
  using server = runningMachine(daily);
  const file = backedUp(server);
  expect(server.run("restore", [file]).output).toContain("in state/before-restore for seven days");
  const before = "opt/livekit/state/before-restore";
  const secrets = `${before}/files/opt/livekit/secrets.env`;
  const age = (days: number) => {
    const then = Date.now() / 1_000 - days * 86_400;
    utimesSync(server.path(before), then, then);
    server.run("health");
  };
  age(6.5);
  expect(server.mode(secrets)).toBe("600");
  age(7.5);
  expect(server.has(before)).toBe(false);
});
