// A disk on which Redis cannot keep its data: what it says it must not stop.
import { afterAll, beforeAll, expect, test } from "vitest";
import { pollUntil } from "../../support/site/poll.ts";
import { call, type Key, roomService } from "./call.ts";
import { keyOf, type Running, startMachine } from "./running.ts";

let running: Running;
let key: Key;
const redis = (command: string) =>
  running.machine.done(
    "cd /opt/livekit && docker compose exec -T redis sh",
    `REDISCLI_AUTH=$REDIS_PASSWORD redis-cli ${command}\n`,
  );

beforeAll(async () => {
  running = await startMachine();
  const { machine } = running;
  await machine.done("mkdir -p /opt/livekit/data/redis");
  await machine.done("mount -t tmpfs -o size=64k redis /opt/livekit/data/redis");
  await machine.firstBoot();
  key = await keyOf(machine);
});
afterAll(() => running?.[Symbol.asyncDispose]());

test("a full disk under Redis: new rooms still begin", async () => {
  await running.machine.run("dd if=/dev/zero of=/opt/livekit/data/redis/full bs=1k");
  await redis("bgsave");
  await pollUntil(
    () => redis("info persistence"),
    (reply) => reply.includes("rdb_last_bgsave_status:err"),
  );
  const made = await roomService(running.world, key, "CreateRoom", { name: "proof" });
  expect(made).toMatchObject({ status: 200 });
  const { heard, output } = await call(running.world, key, { room: "another" });
  expect(heard, output).toBe(true);
});
