import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import {
  backupsFolder,
  backupsOn,
  type Machine,
  machine,
  newlyBootedMachine,
  runningMachine,
} from "../../support/deployments/machine.ts";
import { startS3 } from "../../support/deployments/s3-server.ts";
import { amount, testInProof } from "../../support/run/variants.ts";

vi.setConfig({ testTimeout: 120_000 });

const pair = { key: "AKTEST", secret: "a+secret/of=the+storage" };
const folder = "lk/livekit.example.com";
const typed = {
  backups: {
    frequency: "daily",
    target: {
      kind: "s3",
      bucket: "backups",
      region: "eu-west-1",
      endpoint: "https://s3.example.com",
      forcePathStyle: true,
      prefix: "lk",
    },
  },
};
const storage = () => startS3("backups", pair);

/** A machine whose place for backups is the given storage, with or without its keys. */
function machineAt(
  url: string,
  more: Record<string, unknown> = {},
  keys = pair,
  make = runningMachine,
): Machine {
  const server = make({ ...typed, ...more });
  const env = server.read("opt/livekit/backup-target.env");
  expect(env).toContain("RCLONE_CONFIG_TARGET_ENDPOINT=https://s3.example.com\n");
  server.write("opt/livekit/backup-target.env", env.replace("https://s3.example.com", url));
  const output = server.run(
    "livekit-deploy",
    ["set", "backup-keys"],
    `${keys.key}\n${keys.secret}\n`,
  );
  expect(output.status).toBe(0);
  server.write("opt/livekit/data/redis/dump.rdb", "REDIS0011");
  server.forget();
  return server;
}

/** Runs a script while the storage of this process can answer. */
async function run(server: Machine, name: string, args: readonly string[] = []) {
  const child = server.start(name, args);
  let output = "";
  child.stdout.on("data", (part) => (output += part));
  child.stderr.on("data", (part) => (output += part));
  const [status] = await once(child, "close");
  return { status: Number(status), output };
}

test("a backup in a bucket is restored on an empty machine: secrets, certificates and Redis come back", async () => {
  await using s3 = await storage();
  using first = machineAt(s3.url);
  const made = await run(first, "livekit-deploy", ["backup"]);
  expect(made.output).toContain(`Copied to backups/${folder} and read back.`);
  expect(made.status).toBe(0);
  const [name = ""] = backupsOn(first);
  expect([...s3.objects.keys()]).toEqual([`${folder}/${name}`]);
  expect(s3.objects.get(`${folder}/${name}`)).toEqual(
    readFileSync(first.path(`${backupsFolder}/${name}`)),
  );
  const secrets = first.read("opt/livekit/secrets.env");

  using empty = machineAt(s3.url, {}, pair, newlyBootedMachine);
  expect(empty.read("opt/livekit/secrets.env")).not.toBe(secrets);
  empty.write("opt/livekit/data/redis/dump.rdb", "REDIS, empty");
  empty.write("opt/livekit/data/caddy/certificates/livekit.example.com.key", "another\n");
  expect(backupsOn(empty)).toEqual([]);
  const restored = await run(empty, "livekit-deploy", ["restore", "--from-target"]);
  expect(restored.output).toContain(`Fetched ${name}.`);
  expect(restored.output).toContain("Restored.");
  expect(restored.status).toBe(0);
  expect(empty.read("opt/livekit/secrets.env")).toBe(secrets);
  expect(empty.mode("opt/livekit/backup-keys.env")).toBe("600");
  expect(empty.read("opt/livekit/data/redis/dump.rdb")).toBe("REDIS0011");
  expect(empty.read("opt/livekit/data/caddy/certificates/livekit.example.com.key")).toBe(
    "private\n",
  );
});

test("keys of the storage are never arguments, and no other container reads them", async () => {
  await using s3 = await storage();
  using server = machineAt(s3.url);
  await run(server, "backup");
  expect(server.calls()).toContain("docker run --rm -i --network host --log-driver none");
  expect(server.calls()).not.toContain(pair.secret);
  expect(server.calls()).not.toContain(pair.key);
  expect(server.mode("opt/livekit/backup-keys.env")).toBe("600");
  expect(server.read("opt/livekit/docker-compose.yaml")).not.toContain("backup-keys");
  expect(server.read("opt/livekit/secrets.env")).not.toContain(pair.secret);
});

test("what does not arrive whole, with wrong keys or at all is said, and the backup here stays", async () => {
  await using s3 = await storage();
  using server = machineAt(s3.url);
  s3.damaged.next = true;
  const damaged = await run(server, "backup");
  expect(damaged.output).toContain("is not what was sent. The backup is on this machine only.");
  expect(damaged.status).toBe(3);
  s3.refuse.add("PUT");
  expect((await run(server, "backup")).output).toContain("could not be copied to");
  using stranger = machineAt(s3.url, {}, { key: pair.key, secret: "wrong" });
  expect((await run(stranger, "backup")).status).toBe(3);
  expect(backupsOn(stranger)).toHaveLength(1);
  expect(stranger.run("doctor", ["--report"]).output).toContain("backup.remote.failed");
  using untyped = runningMachine(typed);
  expect((await run(untyped, "backup")).output).toContain("sudo livekit-deploy set backup-keys");
  // An update goes on: its way back needs the copy on this machine only.
  const update = await run(stranger, "update", ["--to", "livekit=v1.13.12"]);
  expect(update.output).toContain("Updated. All services are healthy.");
  s3.refuse.clear();
  expect((await run(server, "backup")).status).toBe(0);
  expect(server.run("doctor", ["--report"]).output).not.toContain("backup.remote.failed");
});

test("the same tiers are kept there, backups by hand for good, and all where nothing may be deleted", async () => {
  await using s3 = await storage();
  using server = machineAt(s3.url);
  const day = (age: number) =>
    new Date(Date.now() - age * 86_400_000).toISOString().slice(0, 10).replaceAll("-", "");
  const days = amount({ inTest: 10, inProof: 40 });
  const old = Array.from({ length: days }, (_, age) => `livekit-${day(age + 1)}T020000Z.tar.gz`);
  const byHand = `livekit-by-hand-${day(300)}T020000Z.tar.gz`;
  for (const name of [...old, byHand, "notes.txt"])
    s3.objects.set(`${folder}/${name}`, Buffer.from("x"));
  s3.objects.set(`lk/other.example.com/${old.at(-1)}`, Buffer.from("x"));
  s3.refuse.add("DELETE");
  const backup = await run(server, "backup");
  expect(backup.output).toContain("Not removed there, which needs the right to delete:");
  expect(backup.status).toBe(0);
  expect(s3.objects.size).toBe(days + 4);
  s3.refuse.clear();
  expect((await run(server, "backup")).output).toContain("Removed there:");
  const names = [...s3.objects.keys()];
  expect(names).toContain(`${folder}/${byHand}`);
  expect(names).toContain(`${folder}/notes.txt`);
  expect(names).toContain(`lk/other.example.com/${old.at(-1)}`);
  const left = names.filter((name) => name.startsWith(`${folder}/livekit-2`));
  expect(left.length).toBeGreaterThanOrEqual(7);
  expect(left.length).toBeLessThanOrEqual(7 + 5 + 2);
});

testInProof(
  "an older backup is restored by its name, and a name that is not there lists those that are",
  async () => {
    await using s3 = await storage();
    using server = machineAt(s3.url);
    await run(server, "livekit-deploy", ["backup"]);
    const [older = ""] = backupsOn(server);
    server.write("opt/livekit/data/redis/dump.rdb", "REDIS, later");
    await run(server, "livekit-deploy", ["backup"]);
    const absent = await run(server, "restore", [
      "--from-target",
      "livekit-20200101T000000Z.tar.gz",
    ]);
    expect(absent.output).toContain(older);
    expect(absent.output).toContain("Nothing was changed.");
    expect(absent.status).toBe(1);
    const outside = await run(server, "restore", ["--from-target", "../other.example.com/x"]);
    expect(outside.output).toContain("A name has no slash");
    expect((await run(server, "restore", ["--from-target", older])).status).toBe(0);
    expect(server.read("opt/livekit/data/redis/dump.rdb")).toBe("REDIS0011");
  },
);

test("each month the newest backup is fetched and read as a restore would, without touching a service", async () => {
  await using s3 = await storage();
  using server = machineAt(s3.url);
  await run(server, "backup");
  server.forget();
  const tried = await run(server, "backup-test");
  expect(tried.output).toMatch(/^livekit-\S+ can be restored\.\n$/);
  expect(tried.status).toBe(0);
  expect(server.run("doctor").output).toMatch(/ok +backup trial +\S+ livekit-\S+ can be restored/);
  expect(server.has("opt/livekit/state/backup-scratch")).toBe(false);
  const [name = ""] = s3.objects.keys();
  const whole = s3.objects.get(name) ?? Buffer.alloc(0);
  s3.objects.set(name, whole.subarray(0, whole.length - 30));
  expect((await run(server, "backup-test")).status).toBe(1);
  expect(server.run("doctor", ["--report"]).output).toContain("backup.test.failed");
  s3.objects.clear();
  expect((await run(server, "backup-test")).output).toContain("There is no backup at");
  server.write("opt/livekit/data/redis/dump.rdb", "no dump");
  await run(server, "backup");
  expect((await run(server, "backup-test")).output).toContain("Redis's data is damaged.");
  expect(server.calls()).not.toMatch(/compose (stop|up)|systemctl (stop|start)/);
});

testInProof(
  "an encrypted backup stays encrypted there, and its trial says what could not be tried",
  async () => {
    await using s3 = await storage();
    using keys = runningMachine();
    const identity = keys.path("key.txt");
    const generated = spawnSync("age-keygen", ["-o", identity], { encoding: "utf8" });
    const ageRecipient = /age1\w+/.exec(generated.stderr)?.[0] ?? "";
    using server = machineAt(s3.url, { backups: { ...typed.backups, ageRecipient } });
    expect((await run(server, "backup")).status).toBe(0);
    const [name = ""] = s3.objects.keys();
    expect(name).toMatch(/\.tar\.gz\.age$/);
    expect(s3.objects.get(name)?.subarray(0, 4).toString()).toBe("age-");
    const tried = await run(server, "backup-test");
    expect(tried.output).toContain("can be fetched and is what was saved. It is encrypted");
    expect(tried.status).toBe(0);
    const refused = await run(server, "restore", ["--from-target"]);
    expect(refused.output).toContain("Name your age key with --identity.");
    const restored = await run(server, "restore", ["--from-target", "--identity", identity]);
    expect(restored.output).toContain("Restored.");
    s3.objects.set(
      name,
      Buffer.concat([s3.objects.get(name) ?? Buffer.alloc(0), Buffer.from("x")]),
    );
    expect((await run(server, "backup-test")).output).toContain("its checksum differs");
  },
);

test("without a place off the machine the trial reads the newest backup here", async () => {
  using server = runningMachine({ backups: { frequency: "weekly" } });
  expect((await run(server, "backup-test")).output).toContain("There is no backup in");
  server.write("opt/livekit/data/redis/dump.rdb", "REDIS0011");
  await run(server, "backup");
  expect((await run(server, "backup-test")).output).toContain("can be restored.");
});

test("the machine's role is asked where there is one, and typed keys elsewhere", () => {
  const s3 = { kind: "s3", bucket: "backups", region: "eu-west-1" };
  const gcs = { kind: "gcs", bucket: "backups" };
  const azure = { kind: "azure", account: "account", container: "backups" };
  for (const [provider, target, role] of [
    ["aws", s3, "ENV_AUTH=true"],
    ["azure", s3, undefined],
    ["google-cloud", gcs, "ENV_AUTH=true"],
    ["aws", gcs, undefined],
    ["azure", azure, "USE_MSI=true"],
    ["digital-ocean", azure, undefined],
  ] as const) {
    using server = machine({ provider, backups: { target } });
    const env = server.read("opt/livekit/backup-target.env");
    if (role) expect(env).toContain(`RCLONE_CONFIG_TARGET_${role}\n`);
    else expect(env).not.toMatch(/ENV_AUTH|USE_MSI/);
    const { status } = server.run("livekit-deploy", ["set", "backup-keys"], "key\nsecret\n");
    expect(status, `${provider} ${target.kind}`).toBe(role || target.kind === "gcs" ? 64 : 0);
  }
});
