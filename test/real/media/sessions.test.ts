// A session as the real LiveKit and Caddy leave it in the spool, and as the shipped servers Worker shows it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { pollUntil } from "../../support/site/poll.ts";
import { startCall } from "./call.ts";
import { consoleUrl, startConsole } from "./console.ts";
import { keyOf, type Running, startMachine } from "./running.ts";

let console: Awaited<ReturnType<typeof startConsole>>;
let running: Running;

const done = (command: string) => running.machine.done(command);
/** A report now: the timer's own would come within a minute. */
/** A minute's report. A start that comes sooner than systemd allows is counted anew. */
const report = () =>
  done("systemctl reset-failed livekit-report.service; systemctl start livekit-report.service");
/** The spool of Caddy, of which each line may be an event. */
const spool = () => done("cat /opt/livekit/data/sessions/events*.log");
const finished = (text: string) => text.split('\\"room_finished\\"').length - 1;

/** A call of two in a room of its own; answers between which times it was. */
async function callIn(room: string): Promise<{ from: number; until: number }> {
  const before = finished(await spool());
  const from = Date.now();
  await using held = await startCall(running.world, await keyOf(running.machine), { room });
  await held.end();
  await pollUntil(spool, (text) => finished(text) > before, 60_000);
  return { from, until: Date.now() };
}

beforeAll(async () => {
  console = await startConsole();
  const token = await console.newToken();
  running = await startMachine({}, { connection: { url: consoleUrl, token } });
  await console.answerIn(running.world);
  await running.machine.firstBoot();
});
afterAll(async () => {
  await running?.[Symbol.asyncDispose]();
  await console?.[Symbol.asyncDispose]();
});

test("a call of two is a session with two participants, who were there while they called, and no name", async () => {
  const { from, until } = await callIn("sessions-one");
  await report();
  const [session, ...others] = await console.sessions();
  expect(others).toEqual([]);
  expect(session).toMatchObject({ joined: 2, peak: 2, present: 0, aborted: 0, end: "finished" });
  const page = await console.session(session?.sid ?? "");
  expect(page?.participants).toHaveLength(2);
  for (const { joinedAt, leftAt = 0, identity, reason } of page?.participants ?? []) {
    // The clock is the host's own.
    expect(joinedAt).toBeGreaterThanOrEqual(from - 1_000);
    expect(leftAt).toBeGreaterThan(joinedAt);
    expect(leftAt).toBeLessThanOrEqual(until);
    expect(identity).toMatch(/^[0-9a-f]{12}$/);
    expect(reason).toBe("CLIENT_INITIATED");
  }
  expect(page?.session.name).toMatch(/^[0-9a-f]{12}$/);
  expect(await done("livekit-deploy find sessions-one")).toContain(page?.session.name);
  expect(JSON.stringify(page)).not.toContain("sessions-one");
});

test("a line of the spool has its event once, so that 30,000 of them fit into its files", async () => {
  const lines = (await spool()).trimEnd().split("\n");
  for (const line of lines) expect(line.split('"event":"').length, line).toBe(2);
  const mean = lines.reduce((sum, line) => sum + line.length + 1, 0) / lines.length;
  expect(mean).toBeLessThan((6 * 10 * 1_048_576) / 30_000);
});

test("the spool is for root alone, and no backup has it", async () => {
  expect(await done("stat -c %a /opt/livekit/data/sessions/events.log")).toBe("600\n");
  await done("livekit-deploy backup");
  const names = await done("tar -tzf $(ls -t /var/backups/livekit/livekit-*.tar.gz | head -n 1)");
  expect(names).toContain("data/caddy");
  expect(names).not.toContain("data/sessions");
  expect(names).not.toContain("session-names.key");
});

test("calls while the console is away are there when it is back", async () => {
  console.isAway(true);
  await callIn("sessions-two");
  for (let minute = 0; minute < 10; minute += 1) await report();
  await callIn("sessions-three");
  expect(await console.sessions()).toHaveLength(1);
  console.isAway(false);
  await report();
  const all = await console.sessions();
  expect(all.map(({ joined, end }) => [joined, end])).toEqual(Array(3).fill([2, "finished"]));
  expect((await console.sessionSums()).map(({ lost, unverified }) => [lost, unverified])).toEqual([
    [0, 0],
  ]);
});
