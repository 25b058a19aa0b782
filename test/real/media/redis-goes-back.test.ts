// A Redis that was newer for a while: what it has saved the older one cannot read, so the older one's data goes back with
// its image.
import { afterAll, beforeAll, expect, test } from "vitest";
import { pinned } from "~/features/deployments/bundle/versions.ts";
import { call, type Key } from "./call.ts";
import { brokenTag, olderRedisTag } from "./machine/images.ts";
import { keyOf, type Running, startMachine } from "./running.ts";

const older = { answers: { versions: { redis: olderRedisTag } }, connection: undefined };
const newerTag = pinned.redis.tag;

let running: Running;
let key: Key;

const done = (command: string) => running.machine.done(command);
const redis = async (command: string) =>
  (
    await done(
      `cd /opt/livekit && docker compose exec -T redis sh -c 'REDISCLI_AUTH=$REDIS_PASSWORD redis-cli ${command}'`,
    )
  ).trim();
/** The number in the first bytes of what a Redis has saved. */
const format = (dump: string) => done(`head -c 9 ${dump}`);
const dump = "/opt/livekit/data/redis/dump.rdb";

async function expectOlder(trunk: string): Promise<void> {
  expect(await done("cd /opt/livekit && docker compose ps redis")).toMatch(/\(healthy\)/);
  expect(await done("cat /opt/livekit/docker-compose.yaml")).toContain(`redis:${olderRedisTag}`);
  expect(await redis("get trunk")).toBe(trunk);
  const { heard, output } = await call(running.world, key, { servers: "udp", relay: true });
  expect(heard, output).toBe(true);
}

beforeAll(async () => {
  running = await startMachine({}, older);
  await running.machine.firstBoot();
  await done("systemctl stop livekit-health.timer");
  key = await keyOf(running.machine);
});
afterAll(() => running?.[Symbol.asyncDispose]());

test("C4: a bundle with a newer Redis that is not taken leaves the older one its data", async () => {
  await redis("set trunk first");
  const zip = await running.machine.bring({
    ...older,
    answers: { versions: { redis: newerTag, livekit: brokenTag } },
  });
  const { status, output } = await running.machine.run(`livekit-deploy apply ${zip} --now`);
  expect({ status, output }).toMatchObject({ status: 1 });
  expect(output).toContain("Redis has its data from before again.");
  expect(output).toContain("The files from before are in use again.");
  await expectOlder("first");
});

test("C4: a restore from before the update brings the older Redis back with what it had saved", async () => {
  const made = await done("livekit-deploy backup");
  const backup = /Backup made: (\S+)/.exec(made)?.[1] ?? "";
  expect(await done(`livekit-deploy update --to redis=${newerTag} --now`)).toContain("Updated.");
  expect(await redis("set trunk later")).toBe("OK");
  expect(await done(`livekit-deploy restore ${backup} --now`)).toContain("Restored.");
  await expectOlder("first");

  // What the newer one saved when it was stopped is set aside, and the older one does refuse it.
  const before = `/opt/livekit/state/before-restore/files${dump}`;
  expect(await format(before)).not.toBe(await format(dump));
  const refusal = await running.machine.run(
    `mkdir /root/data && cp ${before} /root/data/ && docker run --rm --network none -v /root/data:/data redis:${olderRedisTag} timeout 10 redis-server --dir /data`,
  );
  expect(refusal.output).toContain("Can't handle RDB format version");
});
