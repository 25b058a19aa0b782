import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { expect, test, vi } from "vitest";
import { bundle } from "../../support/deployments/bundle.ts";
import { optionsFrom } from "../../support/deployments/bundle-cases.ts";
import {
  backedUp,
  backupsFolder,
  backupsOn,
  newlyBootedMachine,
  runningMachine,
} from "../../support/deployments/machine.ts";

vi.setConfig({ testTimeout: 60_000 });

const daily = { backups: { frequency: "daily" } };

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

test("M2: the monthly trial restores into a folder and compares what is there then", () => {
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

test("a trial looks at the free disk before it unpacks, and a full disk is its sentence", () => {
  using server = runningMachine(daily);
  server.write("opt/livekit/data/caddy/large", "x".repeat(8 * 1024 * 1024));
  server.run("backup");
  server.set("disk-used", "100");
  const { status, output } = server.run("backup-test");
  expect(output).toMatch(
    /^livekit-\S+: Only 0 MiB of disk are free, 4[89] are needed\. Nothing was changed\.\n$/,
  );
  expect(status).toBe(1);
});

test("M4: what was made before a change stays for seven days, whatever else is made, and goes then", () => {
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
