// The machine's own scripts, each against the services that it is for, in the order in which a machine's life has them.
import { afterAll, beforeAll, expect, test } from "vitest";
import { pollUntil } from "../../support/site/poll.ts";
import { call, type Key, roomService, startCall } from "./call.ts";
import { brokenTag, laterTag } from "./machine/images.ts";
import { perBoot } from "./machine/machine.ts";
import { keyOf, type Running, startMachine } from "./running.ts";

let running: Running;
let key: Key;

const run = (command: string) => running.machine.run(command);
const done = (command: string) => running.machine.done(command);
const backups = async () => (await done("ls /var/backups/livekit")).trim().split("\n");
async function expectMedia(): Promise<void> {
  const { heard, output } = await call(running.world, key);
  expect(heard, output).toBe(true);
}

/** Begins what stops LiveKit, and comes back once it waits for a quiet moment. */
async function untilWaiting(command: string) {
  const waits = async () =>
    (await done("journalctl -u livekit.service")).split("Waiting for a quiet moment").length;
  const before = await waits();
  const begun = { ended: false, outcome: run(command) };
  const ended = () => {
    begun.ended = true;
  };
  begun.outcome.then(ended, ended);
  await pollUntil(waits, (now) => now > before || begun.ended, 60_000);
  return begun;
}

beforeAll(async () => {
  running = await startMachine({}, { answers: { backups: { frequency: "daily" } } });
  await running.machine.firstBoot();
  // The doctor's five minutes are no part of what is looked at here.
  await done("systemctl stop livekit-health.timer livekit-backup.timer");
  key = await keyOf(running.machine);
});
afterAll(() => running?.[Symbol.asyncDispose]());

test("the first boot is made once", async () => {
  expect(await done(perBoot)).toContain("This machine is ready already.");
  expect(await keyOf(running.machine)).toEqual(key);
  await expectMedia();
});

test("a backup made by hand outlives the timer's of the same day", async () => {
  await done("livekit-deploy backup");
  const [byHand] = await backups();
  await done("/opt/livekit/bin/backup.sh");
  await done("/opt/livekit/bin/backup.sh");
  expect(await backups()).toContain(byHand);
});

test("a reload with a call: it goes on unbroken, and what changed is there after it", async () => {
  await using ongoing = await startCall(running.world, key);
  await done("sed -i 's/level: info/level: debug/' /opt/livekit/livekit.yaml");
  const reloading = await untilWaiting("/opt/livekit/bin/first-boot.sh");
  const { silenceMs, left } = await ongoing.end();
  expect(left).toBe("");
  expect(silenceMs).toBeLessThan(1000);
  expect(await reloading.outcome).toMatchObject({ status: 0 });
  const inside = "cd /opt/livekit && docker compose exec -T livekit cat /etc/livekit.yaml";
  expect(await done(inside)).toContain("level: debug");
  await expectMedia();
});

test("new rooms during a drain", async () => {
  await using ongoing = await startCall(running.world, key);
  const restarting = await untilWaiting("livekit-deploy restart");
  const made = await roomService(running.world, key, "CreateRoom", { name: "begun" });
  expect(made).toMatchObject({ status: 200 });
  const { heard, output } = await call(running.world, key, { room: "another" });
  expect(heard, output).toBe(true);
  expect(restarting.ended).toBe(false);
  const { silenceMs, left } = await ongoing.end();
  expect(left).toBe("");
  expect(silenceMs).toBeLessThan(1000);
  expect(await restarting.outcome).toMatchObject({ status: 0 });
  await expectMedia();
});

test("an update to a good version", async () => {
  expect(await done(`livekit-deploy update --to livekit=${laterTag}`)).toContain(
    "Updated. All services are healthy.",
  );
  expect(await done("livekit-deploy status")).toContain(`livekit/livekit-server:${laterTag}`);
  await expectMedia();
});

test("an update to a broken version goes back, and media arrives as before", async () => {
  const { status, output } = await run(`livekit-deploy update --to livekit=${brokenTag}`);
  expect({ status, output }).toMatchObject({ status: 1 });
  expect(output).toContain("The versions from before run again.");
  expect(await done("cat /opt/livekit/docker-compose.yaml")).toContain(`:${laterTag}`);
  await expectMedia();
});

test("a mistake in livekit.yaml is found before anything stops, and hides nobody who is in a call", async () => {
  await using ongoing = await startCall(running.world, key);
  await done("livekit-deploy backup");
  await done("echo 'misspelt: yes' >>/opt/livekit/livekit.yaml");
  const { status, output } = await run("livekit-deploy restart --now");
  expect(status).toBe(1);
  expect(output).toContain("field misspelt not found");
  // Systemd itself looks at no file before it stops.
  const restarting = await untilWaiting("systemctl restart livekit.service");
  expect(await done("journalctl -u livekit.service")).toContain("In calls: 2, recordings: 0.");
  const { silenceMs, left } = await ongoing.end();
  expect(left).toBe("");
  expect(silenceMs).toBeLessThan(1000);
  expect(await restarting.outcome).not.toMatchObject({ status: 0 });
});

test("restore of a failed unit", async () => {
  const backup = (await backups()).filter((name) => name.includes("by-hand")).at(-1);
  // It runs, and nobody finds it there: a failed unit whose containers go on.
  await done("sed -i '/^misspelt/d; s/^port: 7880$/port: 7999/' /opt/livekit/livekit.yaml");
  expect(await run("systemctl restart livekit.service")).not.toMatchObject({ status: 0 });
  expect(await run("systemctl is-active livekit.service")).not.toMatchObject({ status: 0 });
  expect(await done("cd /opt/livekit && docker compose ps livekit")).toContain("(unhealthy)");
  expect(await run(`livekit-deploy restore /var/backups/livekit/${backup}`)).toMatchObject({
    status: 0,
  });
  expect(await done("systemctl is-active livekit.service")).toBe("active\n");
  expect(await done("cat /opt/livekit/livekit.yaml")).toMatch(/^port: 7880$/m);
  await expectMedia();
});

test("a rotation under load without one refused token", async () => {
  const answers: number[] = [];
  const ask = async (used: Key) => {
    const { status } = await roomService(running.world, used, "ListRooms", {});
    answers.push(status);
    return status;
  };
  const old = key;
  let current = old;
  const load = { goesOn: true };
  const requests = (async () => {
    while (load.goesOn) for (const used of new Set([old, current])) await ask(used);
  })();
  await done("livekit-deploy rotate api-key");
  await done("livekit-deploy restart");
  current = await keyOf(running.machine);
  expect(current).not.toEqual(old);
  expect(await ask(current)).toBe(200);
  expect(await ask(old)).toBe(200);
  load.goesOn = false;
  await requests;
  expect(answers.filter((status) => status === 200).length).toBeGreaterThan(10);
  // While LiveKit starts nobody answers; what was answered was no refusal.
  expect(answers.filter((status) => status !== 200 && status !== 0)).toEqual([]);

  await done("livekit-deploy rotate finish");
  await done("livekit-deploy restart");
  expect(await ask(old)).toBe(401);
  expect(await ask(current)).toBe(200);
  key = current;
  await expectMedia();
});
