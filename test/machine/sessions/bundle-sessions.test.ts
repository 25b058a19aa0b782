// What a connected machine sends of the sessions in its rooms, by the real scripts and a spool as Caddy writes it.
import { createHmac } from "node:crypto";
import { rmSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { testRoomName } from "../../../app/features/deployments/test-room/room-name.ts";
import {
  connect,
  machineAt,
  report,
  run,
  well,
} from "../../support/deployments/console-machine.ts";
import { type ConsoleRequest, startConsole } from "../../support/deployments/console-server.ts";
import { allEvents, canary, rolledName, spoolOf } from "../../support/deployments/webhook-spool.ts";

vi.setConfig({ testTimeout: 60_000 });

const linesOf = (body: string, kind: string) =>
  body
    .split("\n")
    .map((line) => line.split("\t"))
    .filter(([name]) => name === kind)
    .map(([, ...fields]) => fields);

/** A console that has what it is sent of sessions, as long as `takes` says so. */
function consoleOfSessions(takes = () => true) {
  return startConsole((request: ConsoleRequest) => {
    const [spool, number] = linesOf(request.body, "events")[0] ?? [];
    const { lines, status } = well(request);
    return { status, lines: takes() && spool ? [...lines, `events ${spool} ${number}`] : lines };
  });
}

const numbersOf = (body: string) => linesOf(body, "event").map(([number]) => Number(number));
const headOf = (body: string) => (linesOf(body, "events")[0] ?? []).slice(1).map(Number);
const lastOf = ({ requests }: { requests: ConsoleRequest[] }) => requests.at(-1)?.body ?? "";

test("of each event the report has times, kinds, reasons and results, and nothing that names, describes or unlocks anything", async () => {
  await using console = await consoleOfSessions();
  using server = machineAt(console);
  const spool = spoolOf(server);
  await connect(server);
  spool.add(allEvents());
  await report(server);
  const body = lastOf(console);
  expect(body).not.toContain(canary);
  expect(body).not.toContain("turnPassword");
  expect(body).not.toContain("+4930");
  expect(numbersOf(body)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  // What this release does not know is passed over, and not sent again.
  expect(headOf(body)).toEqual([13, 0, 0]);
  const [, joined, published, , left, aborted, , , recorded, , streamed] = linesOf(body, "event");
  expect(joined?.slice(1, 5)).toEqual([
    "1795313699000",
    "participant_joined",
    "RM_k3KR8L8i5SJd",
    expect.stringMatching(/^[0-9a-f]{12}$/),
  ]);
  expect(joined?.slice(5)).toEqual([
    ...["PA_RzM4p5wQ44Va", expect.stringMatching(/^[0-9a-f]{12}$/), "joined=1795313698834"],
  ]);
  expect(published?.slice(8)).toEqual([
    ...["track=TR_VC8bq3P2", "type=VIDEO", "source=CAMERA", "mime=video/VP8", "size=1280x720"],
  ]);
  expect(left?.slice(8)).toEqual(["kind=SIP", "reason=CLIENT_INITIATED", "publisher=1"]);
  expect(aborted?.slice(5)).toEqual([...["PA_aborted1234", joined?.[6], "joined=1795313698834"]]);
  expect(recorded?.slice(7)).toEqual([
    ...["egress=EG_abcDEF123", "status=EGRESS_FAILED", "started=1795313699000"],
    ...["ended=1795313720000", "code=500"],
  ]);
  expect(streamed?.slice(7)).toEqual([
    ...["ingress=IN_abcDEF123", "status=ENDPOINT_ERROR", "input=WHIP_INPUT", "failed=1"],
  ]);
});

test("names are replaced with a key that only this machine has and no backup, and livekit-deploy find says which is which", async () => {
  await using console = await consoleOfSessions();
  using server = machineAt(console);
  expect(await run(server, "livekit-deploy", ["find", "alice"])).toMatchObject({ status: 1 });
  const spool = spoolOf(server);
  await connect(server);
  spool.add(allEvents("room-one", "alice"));
  await report(server);
  const [, joined] = linesOf(lastOf(console), "event");
  const key = server.read("opt/livekit/session-names.key");
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(server.mode("opt/livekit/session-names.key")).toBe("600");
  expect(lastOf(console)).not.toContain(key);
  const hashOf = (kind: string, name: string) =>
    createHmac("sha256", key).update(`${kind}\n${name}`).digest("hex").slice(0, 12);
  expect([joined?.[4], joined?.[6]]).toEqual([
    hashOf("room", "room-one"),
    hashOf("identity", "alice"),
  ]);
  expect(await run(server, "livekit-deploy", ["find", "alice"])).toEqual({
    status: 0,
    output: `identity ${hashOf("identity", "alice")}\nroom     ${hashOf("room", "alice")}\n`,
  });
});

test("who chose Send names sends identities and names of rooms, and still nothing else", async () => {
  await using console = await consoleOfSessions();
  using server = machineAt(console, { sessions: "named" });
  const spool = spoolOf(server);
  await connect(server);
  spool.add(allEvents("Zimmer ü\t1", "alice@example.com"));
  await report(server);
  const [, joined] = linesOf(lastOf(console), "event");
  expect([joined?.[4], joined?.[6]]).toEqual(["=Zimmer %C3%BC%091", "=alice%40example.com"]);
  expect(lastOf(console)).not.toContain(canary);
});

test("who chose no sessions, and who has no console, sends none", async () => {
  await using console = await consoleOfSessions();
  using server = machineAt(console, { sessions: "off" });
  const spool = spoolOf(server);
  await connect(server);
  spool.add(allEvents());
  await report(server);
  expect(lastOf(console)).not.toMatch(/\nevents?\t/);
  expect(server.has("opt/livekit/session-names.key")).toBe(false);
});

test("what LiveKit did not sign is counted and not sent; one signed by the key of webhooks, or long ago, is", async () => {
  await using console = await consoleOfSessions();
  using server = machineAt(console);
  const spool = spoolOf(server);
  await connect(server);
  const [started, joined] = allEvents();
  spool.add([started], { secret: "guessed" });
  spool.add([started], { key: "unknown" });
  spool.add([joined], { key: "webhooks", secret: "other" });
  spool.addLine('{"level":"info","status":404}\n');
  spool.addLine('{"event":"{}","jwt":"a.b.c"}\n');
  spool.addLine("no JSON\n");
  await report(server);
  expect(numbersOf(lastOf(console))).toEqual([3]);
  expect(headOf(lastOf(console))).toEqual([6, 0, 3]);
});

test("rooms of test calls and of connection tests are left out, the console's and the machine's", async () => {
  await using console = await consoleOfSessions();
  using server = machineAt(console);
  const spool = spoolOf(server);
  await connect(server);
  spool.add([...allEvents("livekit-deploy-test"), ...allEvents(testRoomName())]);
  spool.add(allEvents("room-one").slice(0, 1));
  await report(server);
  expect(numbersOf(lastOf(console))).toEqual([27]);
});

test("what the console has not acknowledged is sent again, across rolls, and what it has is not", async () => {
  let takes = false;
  await using console = await consoleOfSessions(() => takes);
  using server = machineAt(console);
  const spool = spoolOf(server);
  await connect(server);
  spool.add(allEvents("room-one").slice(0, 2));
  await report(server);
  spool.roll();
  spool.add(allEvents("room-one").slice(2, 4));
  await report(server);
  expect(numbersOf(lastOf(console))).toEqual([1, 2, 3, 4]);
  takes = true;
  await report(server);
  expect(numbersOf(lastOf(console))).toEqual([1, 2, 3, 4]);
  spool.roll();
  spool.add(allEvents("room-one").slice(4, 5));
  await report(server);
  expect(numbersOf(lastOf(console))).toEqual([5]);
  await report(server);
  expect(lastOf(console)).not.toMatch(/\nevents?\t/);
});

test("a file that the console has may roll away: nothing of it counts as lost", async () => {
  await using console = await consoleOfSessions();
  using server = machineAt(console);
  const spool = spoolOf(server);
  await connect(server);
  const numbers: number[] = [];
  for (let file = 0; file < 9; file += 1) {
    spool.add(allEvents("room-one").slice(0, 2));
    await report(server);
    numbers.push(...numbersOf(lastOf(console)));
    spool.roll();
  }
  expect(spool.gone()).toBe(8);
  await report(server);
  expect(numbers).toEqual(Array.from({ length: 18 }, (_, at) => at + 1));
  spool.add(allEvents("room-one").slice(0, 1));
  await report(server);
  expect(headOf(lastOf(console))).toEqual([19, 0, 0]);
});

test("files that Caddy 2.10 rolled are read with those of 2.11, which leaves them: what the console has of them is removed", async () => {
  let takes = false;
  await using console = await consoleOfSessions(() => takes);
  using server = machineAt(console);
  const spool = spoolOf(server);
  await connect(server);
  spool.add(allEvents("room-one").slice(0, 2));
  spool.roll(true);
  spool.add(allEvents("room-one").slice(2, 4));
  spool.roll();
  spool.add(allEvents("room-one").slice(4, 5));
  await report(server);
  const [former, later] = [rolledName("events", 10, true), rolledName("events", 11)];
  expect([server.has(former), server.has(later)]).toEqual([true, true]);
  takes = true;
  await report(server);
  expect(numbersOf(lastOf(console))).toEqual([1, 2, 3, 4, 5]);
  expect([server.has(former), server.has(later)]).toEqual([false, true]);
  spool.add(allEvents("room-one").slice(0, 1));
  await report(server);
  expect(headOf(lastOf(console))).toEqual([6, 0, 0]);
});

test("a first line that somebody made very long hides no file", async () => {
  await using console = await consoleOfSessions();
  using server = machineAt(console);
  const spool = spoolOf(server);
  await connect(server);
  spool.addLine(`{"event":"${"\\u0001".repeat(200_000)}"}\n`);
  spool.add(allEvents().slice(0, 1));
  await report(server);
  expect([numbersOf(lastOf(console)), headOf(lastOf(console))]).toEqual([[2], [2, 0, 1]]);
});

test("a line that Caddy has not finished waits for its end", async () => {
  await using console = await consoleOfSessions();
  using server = machineAt(console);
  const spool = spoolOf(server);
  await connect(server);
  spool.add(allEvents().slice(0, 1));
  spool.addLine('{"event":"');
  await report(server);
  expect(headOf(lastOf(console))).toEqual([1, 0, 0]);
  spool.addLine('"}\n');
  await report(server);
  expect(headOf(lastOf(console))).toEqual([2, 0, 1]);
});

test("40,000 large events without the console: 30,000 and more come whole, and what rolled away is counted to the event", async () => {
  let takes = false;
  await using console = await consoleOfSessions(() => takes);
  using server = machineAt(console);
  const spool = spoolOf(server);
  await connect(server);
  const [event] = allEvents("room-one");
  // With that a line is half as long again as what the real LiveKit and Caddy write of a join without metadata.
  const some = Array.from({ length: 2_500 }, () => ({ ...event, more: "m".repeat(1_000) }));
  for (let times = 0; times < 16; times += 1) {
    spool.add(some);
    // The first reports without an answer, the others while the console asked for a pause.
    await report(server);
    server.write("run/livekit-console/not-before", "3600\n");
  }
  rmSync(server.path("run/livekit-console/not-before"));
  takes = true;
  await report(server);
  const gone = spool.gone();
  expect(gone).toBeGreaterThan(0);
  expect(gone).toBeLessThan(10_000);
  expect(headOf(lastOf(console)).slice(1)).toEqual([gone, 0]);
  expect(numbersOf(lastOf(console))[0]).toBe(gone + 1);
  let reports = 1;
  const received = new Set(numbersOf(lastOf(console)));
  while (headOf(lastOf(console))[0] !== 40_000 && reports < 60) {
    await report(server);
    for (const number of numbersOf(lastOf(console))) received.add(number);
    reports += 1;
  }
  expect(received.size).toBe(40_000 - gone);
  // Each report is full, so that a backlog takes half an hour.
  expect(reports).toBeLessThanOrEqual(Math.ceil(received.size / 1_000) + 1);
  expect(Math.max(...console.requests.map(({ body }) => body.length))).toBeLessThan(256 * 1024);
}, 300_000);

test("a machine that lost its state begins another count, so that no number means two events", async () => {
  await using console = await consoleOfSessions();
  using server = machineAt(console);
  const spool = spoolOf(server);
  await connect(server);
  spool.add(allEvents().slice(0, 1));
  await report(server);
  const [first] = linesOf(lastOf(console), "events");
  rmSync(server.path("opt/livekit/state/spool.json"));
  await report(server);
  const [second] = linesOf(lastOf(console), "events");
  expect(second?.[0]).not.toBe(first?.[0]);
});

test("a disk that is full leaves the report as it would be without sessions", async () => {
  await using console = await consoleOfSessions();
  using server = machineAt(console);
  const spool = spoolOf(server);
  await connect(server);
  spool.add(allEvents());
  server.write("opt/livekit/state/spool.json.new/busy", "");
  expect(await report(server)).toEqual({ status: 0, output: "" });
  expect(lastOf(console)).not.toMatch(/\nevents?\t/);
  expect(lastOf(console)).toContain("\nload\t");
});
