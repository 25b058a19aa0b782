// The receiver of agent insights on a machine that fails, that is slow, and that is full; and bodies that end it.
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { recordingHeader, traces } from "../../support/deployments/insights/otlp.ts";
import {
  endsAtOnce,
  insightsToken,
  insightsPaths as paths,
  readingOf,
  readsNothing,
  recording,
  reportLines,
  startReceiver,
  stuckDisk,
} from "../../support/deployments/insights/receiver.ts";

vi.setConfig({ testTimeout: 60_000 });
const patience = { timeout: 50_000 };

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

const start = 1_795_800_262_000;
const jobOf = (number: number) => `AJ_abcdefgh${String(number).padStart(4, "0")}`;
const ids = (number: number) => ({ job_id: jobOf(number), room_id: "RM_k3KR8L8i5SJd" });
const recordingOf = (number: number, parts: Record<string, Buffer | string> = {}) =>
  recording({
    header: recordingHeader({
      ...{ room: "RM_k3KR8L8i5SJd", job: jobOf(number), start, duration: 1_000, roomName: "r" },
      summary: {},
    }),
    ...parts,
  });
const talkOf = (text: string) =>
  JSON.stringify({ items: [{ type: "message", role: "user", content: [text], created_at: 1 }] });
const spanOf = (number: number) =>
  traces([
    {
      ...{ id: `aaaaaaaaaaaa${String(number).padStart(4, "0")}`, name: "agent_turn" },
      ...{ start, end: start + 900, attributes: ids(number) },
    },
  ]);
/** A record of JavaScript's SDK with an item of the talk. */
const itemOf = (number: number, kind: string, fields: Record<string, object>) => {
  const stated = { job_id: { stringValue: jobOf(number) }, "chat.item": {} };
  const item = { key: kind, value: { kvlistValue: { values: pairs(fields) } } };
  return {
    timeUnixNano: `${BigInt(start) * 1_000_000n}`,
    attributes: pairs({ ...stated, "chat.item": { kvlistValue: { values: [item] } } }),
  };
};
const pairs = (values: Record<string, object>) =>
  Object.entries(values).map(([key, value]) => ({ key, value }));
const itemLogs = (logRecords: readonly object[]) => ({
  body: JSON.stringify({
    resourceLogs: [{ scopeLogs: [{ scope: { name: "chat_history" }, logRecords }] }],
  }),
  type: "application/json",
});

const jobsIn = (report: string) => reportLines(report, "agent").map(([, job]) => job);
const waiting = ({ folder }: Receiver) => readdirSync(join(folder, "incoming")).sort();

/** Changes what the receiver was started from, so that it ends. */
function changeKey({ root }: Receiver): void {
  mkdirSync(join(root, "opt/livekit"), { recursive: true });
  appendFileSync(join(root, "opt/livekit/secrets.env"), "LIVEKIT_API_KEY=other\n");
}

test("what was answered with 200 is on the disk: it is read after the machine failed, once, and what was not whole is not", async () => {
  // The disk comes back when an answer waits for it, which has as long as it needs, however busy the machine is.
  const slow = `back, append = threading.Event(), insights_incoming.Incoming.append
insights_incoming.Incoming.append = lambda *given: back.wait() and append(*given)
finish, wait_for = insights_incoming.Spool.finish, threading.Condition.wait_for
insights_incoming.Spool.finish = lambda *given: (given[2] and back.set(), finish(*given))[1]
threading.Condition.wait_for = lambda condition, holds, seconds=None: wait_for(condition, holds, 0 if seconds == 0 else None)`;
  await using receiver = await startReceiver({ patch: `${readsNothing}\n${slow}` });
  const sound = Buffer.alloc(40_000, 7);
  expect((await receiver.send(paths.recordings, recordingOf(1, { audio: sound }))).status).toBe(
    200,
  );
  appendFileSync(join(receiver.folder, "incoming", "1.part"), '["recordings","",""]\n');
  await receiver.restart();
  await receiver.hasRead("recordings", 1);
  expect(jobsIn(receiver.report())).toEqual([jobOf(1)]);
  expect(waiting(receiver)).toEqual([]);
  expect(receiver.counts()).toMatchObject({ recordings: 1, recorded: 1 });
});

test("a new key, new limits or a new program end it, so that its timer starts the new one, when all it took is on the disk", async () => {
  // The disk comes back while the receiver waits for it at its end.
  const back = `back, append = threading.Event(), insights_incoming.Incoming.append
insights_incoming.Incoming.append = lambda *given: back.wait() and append(*given)
is_empty = insights_incoming.Spool.is_empty
insights_incoming.Spool.is_empty = lambda *given: (back.set(), is_empty(*given))`;
  await using receiver = await startReceiver({ patch: back });
  expect((await receiver.send(paths.recordings, recordingOf(1))).status).toBe(200);
  expect(waiting(receiver)).toEqual([]);
  changeKey(receiver);
  expect(await receiver.ended()).toBe(0);
  await receiver.restart();
  await receiver.hasRead("recordings", 1);
  expect(receiver.counts()).toMatchObject({ late: 1 });
});

// A clock that goes on only while something is waited for, however busy the machine is.
const waitingClock = `seconds, wait_for = [0.0], threading.Condition.wait_for
def waits(condition, predicate, timeout=None):
    if timeout is None:
        return wait_for(condition, predicate)
    if not predicate():
        seconds[0] += timeout
        print(f"waited {seconds[0]:.1f} s", flush=True)
    return predicate()
threading.Condition.wait_for = waits
time.monotonic = lambda: seconds[0]`;

test.for([
  { name: "a recording that memory does not hold", size: 80_000_000, count: "cut" },
  { name: "a body of which memory holds all", size: 4_000, count: "late" },
])(
  "a disk that takes nothing more holds up nobody for a second, and the loss is counted: $name",
  async ({ size, count }) => {
    await using receiver = await startReceiver({ patch: `${stuckDisk}\n${waitingClock}` });
    const { status } = await receiver.send(
      paths.recordings,
      recordingOf(1, { audio: Buffer.alloc(size) }),
    );
    expect(status).toBe(200);
    await vi.waitUntil(() => receiver.journal().includes("waited"), patience);
    expect(new Set(receiver.journal().match(/waited .*/g))).toEqual(new Set(["waited 0.8 s"]));
    // The next task writes what was counted.
    const token = insightsToken({ observability: { delete: "all" } });
    await receiver.send("/observability/insights/all", { method: "DELETE", token });
    await vi.waitUntil(() => receiver.counts()[count] === 1, patience);
  },
);

test("what waits to be read has half of the limit: beyond it the end of a recording is left out, and the session says so", async () => {
  await using receiver = await startReceiver({ gigabytes: 0.002, patch: readsNothing });
  const audio = Buffer.alloc(450_000, 7);
  for (const number of [1, 2, 3])
    expect((await receiver.send(paths.recordings, recordingOf(number, { audio }))).status).toBe(
      200,
    );
  const ends = () => waiting(receiver).map((name) => name.split(".").slice(1).join("."));
  await vi.waitUntil(() => !ends().includes("part") && ends().length === 3, patience);
  expect(ends()).toEqual(["0.whole", "0.whole", "0.cut"]);
  expect((await receiver.send(paths.traces, { body: Buffer.alloc(450_000) })).status).toBe(200);
  expect(waiting(receiver)).toHaveLength(3);
  // The doctor reads it.
  expect(receiver.stored("failure")).toBe("there is no room for it");
  await receiver.restart();
  await receiver.hasRead("recordings", 3);
  const cut = reportLines(receiver.report(), "agent").filter((fields) => fields.includes("cut=1"));
  expect(cut).toMatchObject([{ 1: jobOf(3) }]);
});

test.for(["sound", "text"])(
  "beyond its limit the oldest sessions are deleted until it fits, and the newest stay: %s",
  async (kind) => {
    await using receiver = await startReceiver({ gigabytes: 0.002 });
    const parts: Record<string, Buffer | string> =
      kind === "sound"
        ? { audio: Buffer.alloc(450_000, 7) }
        : { chat_history: talkOf("x".repeat(450_000)) };
    const numbers = [1, 2, 3, 4, 5, 6, 7];
    for (const number of numbers) {
      await receiver.send(paths.recordings, recordingOf(number, parts));
      await receiver.hasRead("recordings", number);
    }
    const found: number[] = [];
    for (const number of numbers) {
      const token = insightsToken(readingOf(jobOf(number)));
      const path = `/observability/insights/${jobOf(number)}`;
      const { status } = await receiver.send(path, { method: "GET", token });
      if (status === 200) found.push(number);
    }
    expect(found).toEqual([4, 5, 6, 7]);
    expect(receiver.counts()).toMatchObject({ jobs: 4, removed: 3 });
    expect(readdirSync(join(receiver.folder, "audio"))).toHaveLength(kind === "sound" ? 4 : 0);
    const database = statSync(join(receiver.folder, "insights.db")).size;
    expect(database).toBeLessThan(kind === "sound" ? 200_000 : 2_000_000);
  },
);

test("a database of the first release gives its pages back, and its sessions are there and in the report", async () => {
  await using receiver = await startReceiver();
  const path = join(receiver.folder, "insights.db");
  const old = `import os, sqlite3, sys
for end in ("", "-wal", "-shm"):
    if os.path.exists(sys.argv[1] + end): os.unlink(sys.argv[1] + end)
database = sqlite3.connect(sys.argv[1])
database.execute("pragma journal_mode=wal")
database.executescript("""
create table jobs (
  job text primary key, room text default '', room_name text default '', agent text default '', sdk text default '',
  started integer default 0, ended integer default 0, seen integer default 0, summary text default '{}',
  talk text default '', audio integer default 0, cut integer default 0, recorded integer default 0, revision integer default 0);
""")
for number in range(1, 21):
    talk = '[{"type": "message", "role": "user", "content": ["' + "x" * 100_000 + '"], "created_at": 1}]'
    values = (f"AJ_abcdefgh{number:04}", talk, ${Math.floor(Date.now() / 1000)}, number)
    database.execute("insert into jobs (job, talk, seen, recorded, revision) values (?, ?, ?, 1, ?)", values)
database.execute("delete from jobs where revision > 2")
database.commit()`;
  spawnSync("python3", ["-c", old, path], { stdio: "inherit" });
  expect(statSync(path).size).toBeGreaterThan(1_000_000);
  await receiver.restart();
  await vi.waitUntil(() => jobsIn(receiver.report(20)).length === 2, patience);
  expect(statSync(path).size).toBeLessThan(500_000);
  expect((await receiver.session(jobOf(1))).talk).toHaveLength(1);
});

test("a span of a session costs as much beside four hundred other sessions as alone", async () => {
  const counted = `take = insights_jobs.Jobs.take
def taken(jobs, body, path):
    steps = []
    jobs.database.set_progress_handler(lambda: steps.append(1), 1)
    take(jobs, body, path)
    jobs.database.set_progress_handler(None, 1)
    print(f"{body.kind} took {len(steps)} steps", flush=True)
insights_jobs.Jobs.take = taken`;
  await using receiver = await startReceiver({ patch: counted });
  const others = Array.from({ length: 400 }, (_, number) =>
    itemOf(number + 2, "message", { role: { stringValue: "USER" } }),
  );
  await receiver.send(paths.traces, { body: spanOf(1), isGzip: true });
  await receiver.send(paths.traces, { body: spanOf(1), isGzip: true });
  await receiver.send(paths.logs, itemLogs(others));
  await receiver.send(paths.traces, { body: spanOf(1), isGzip: true });
  await receiver.hasRead("traces", 3);
  expect(receiver.counts().jobs).toBe(401);
  const [, alone, beside] = receiver.journal().match(/traces took .*/g) ?? [];
  expect(beside).toBe(alone);
});

test("of two sessions at once the one without a recording is sent too, when it is over", async () => {
  await using receiver = await startReceiver();
  await receiver.send(paths.traces, { body: spanOf(2), isGzip: true });
  await receiver.hasRead("traces", 1);
  await receiver.send(paths.recordings, recordingOf(1));
  await receiver.hasRead("recordings", 1);
  const [[through] = []] = reportLines(receiver.report(), "agents");
  expect(jobsIn(receiver.report())).toEqual([jobOf(1)]);
  await receiver.restart(endsAtOnce);
  await vi.waitUntil(() => receiver.report(Number(through)) !== "", patience);
  expect(jobsIn(receiver.report(Number(through)))).toEqual([jobOf(2)]);
});

test("an item of eight megabytes and one with an id of no form are read, and so is what comes after them", async () => {
  await using receiver = await startReceiver({ patch: endsAtOnce });
  const role = { stringValue: "USER" };
  const long = { arrayValue: { values: [{ stringValue: "x".repeat(8_500_000) }] } };
  const half = { stringValue: "\ud83d" };
  const sent = [
    itemLogs([itemOf(1, "message", { role, content: long })]),
    itemLogs([
      itemOf(2, "function_call", { name: { stringValue: "find" }, callId: { arrayValue: {} } }),
      itemOf(2, "function_call_output", { callId: { arrayValue: {} }, output: half }),
    ]),
    itemLogs([{ attributes: pairs({ job_id: { stringValue: jobOf(3) } }), body: half }]),
  ];
  for (const each of sent) expect((await receiver.send(paths.logs, each)).status).toBe(200);
  await receiver.hasRead("logs", 3);
  await receiver.restart(endsAtOnce);
  expect((await receiver.send(paths.recordings, recordingOf(4))).status).toBe(200);
  await receiver.hasRead("recordings", 1);
  expect(jobsIn(receiver.report())).toEqual([1, 2, 3, 4].map(jobOf));
  expect(reportLines(receiver.report(), "agent-entry").map(([, by]) => by)).toEqual([
    ...["by=user", "by=tool"],
  ]);
  expect(receiver.counts().unreadable).toBeUndefined();
});

test("a session whose record cannot be made is counted, and the others are sent", async () => {
  const broken = `import insights_summary
made = insights_summary.report_lines
def report_lines(job):
    if job["job"].endswith("1"):
        raise TypeError("odd")
    return made(job)
insights_summary.report_lines = report_lines`;
  await using receiver = await startReceiver({ patch: broken });
  for (const number of [1, 2]) await receiver.send(paths.recordings, recordingOf(number));
  await receiver.hasRead("recordings", 2);
  expect(jobsIn(receiver.report())).toEqual([jobOf(2)]);
  await expect
    .poll(() => receiver.journal())
    .toContain(`The session of ${jobOf(1)} could not be read: TypeError.`);
});

test("a body that ended the program twice is not read a third time, and the next one is", async () => {
  const dies = "insights_wire.spans = lambda *_: os._exit(9)";
  await using receiver = await startReceiver({ patch: dies });
  // It may die before it has answered.
  await receiver.send(paths.traces, { body: spanOf(1), isGzip: true }).catch(() => undefined);
  expect(await receiver.ended()).toBe(9);
  await receiver.restart(dies);
  expect(await receiver.ended()).toBe(9);
  await receiver.restart(dies);
  await receiver.send(paths.recordings, recordingOf(2));
  await receiver.hasRead("recordings", 1);
  expect(jobsIn(receiver.report())).toEqual([jobOf(2)]);
  expect(receiver.counts()).toMatchObject({ unreadable: 1 });
  await expect.poll(() => receiver.journal()).toContain("A body of traces could not be read");
});

test("a disk that is full while a body is read: it waits, and is read when there is room", async () => {
  const full = `take, faults = insights_jobs.Jobs.take, []
def taken(jobs, body, path):
    if not faults:
        faults.append(body)
        raise sqlite3.OperationalError("database or disk is full")
    take(jobs, body, path)
insights_jobs.Jobs.take = taken
insights_store.PAUSE = 0`;
  await using receiver = await startReceiver({ patch: full });
  await receiver.send(paths.recordings, recordingOf(1));
  await receiver.hasRead("recordings", 1);
  await expect.poll(() => receiver.journal()).toContain("The disk does not take what was received");
  // The doctor reads it.
  expect(receiver.stored("failure")).toBe("database or disk is full");
  expect(jobsIn(receiver.report())).toEqual([jobOf(1)]);
});
