// What ends by itself, and how long until two people hear each other again: each process of the stack killed, Docker
// itself, and a restart at once.
import { afterAll, beforeAll, expect, test } from "vitest";
import { measured } from "../../support/run/measured.ts";
import { pollUntil } from "../../support/site/poll.ts";
import { call, type Key } from "./call.ts";
import { keyOf, type Running, startMachine } from "./running.ts";

let running: Running;
let key: Key;

const done = (command: string) => running.machine.done(command);
const mainProcess = async (service: string) =>
  (
    await done(
      `cd /opt/livekit && docker inspect --format '{{.State.Pid}}' "$(docker compose ps --quiet ${service})"`,
    )
  ).trim();

/** The seconds until a call is heard; whoever joins meanwhile tries again. */
async function heardAfter(since: number): Promise<number> {
  await pollUntil(
    () => call(running.world, key, { patience: "5s" }),
    ({ heard }) => heard,
    120_000,
  );
  return (performance.now() - since) / 1000;
}

beforeAll(async () => {
  running = await startMachine();
  await running.machine.firstBoot();
  await done("systemctl stop livekit-health.timer");
  key = await keyOf(running.machine);
});
afterAll(() => running?.[Symbol.asyncDispose]());

test.for(["livekit", "redis", "caddy"] as const)(
  "%s is killed: it starts again by itself, and calls are heard",
  async (service) => {
    for (let times = 0; times < 3; times += 1) {
      const before = await mainProcess(service);
      const killed = performance.now();
      await done(`kill -KILL ${before}`);
      const seconds = await heardAfter(killed);
      expect(await mainProcess(service)).not.toBe(before);
      expect(seconds).toBeLessThan(60);
      measured(`recovery-${service}-s`, seconds);
      // Docker waits longer before a container that ended at once; one that ran for ten seconds begins anew.
      await pollUntil(
        () => done(`cd /opt/livekit && docker compose ps ${service}`),
        (list) => /\(healthy\)/.test(list),
        60_000,
      );
    }
  },
);

test("Docker is killed: systemd starts it again, and calls are heard", async () => {
  const before = (await done("systemctl show --property MainPID --value docker.service")).trim();
  const killed = performance.now();
  await done(`kill -KILL ${before}`);
  const seconds = await heardAfter(killed);
  expect(seconds).toBeLessThan(120);
  measured("recovery-docker-s", seconds);
});

test("a restart at once", async () => {
  const began = performance.now();
  await done("livekit-deploy restart --now");
  const seconds = await heardAfter(began);
  expect(seconds).toBeLessThan(60);
  measured("restart-now-s", seconds);
});
