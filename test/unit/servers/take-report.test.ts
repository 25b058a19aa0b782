import { expect, test } from "vitest";
import { causesOf } from "~/features/servers/incidents/causes.ts";
import { stepIncident } from "~/features/servers/incidents/step.ts";
import { parseReport } from "~/features/servers/ingest/report.ts";
import { takeReport } from "~/features/servers/ingest/take-report.ts";
import { withoutRestarts } from "~/features/servers/state/restart.ts";
import type { Report, ServerRecord } from "~/features/servers/state/server-record.ts";
import { stateOf } from "~/features/servers/state/state.ts";
import { answerRequest } from "../../../app/features/servers/state/lifecycle.server.ts";
import { machine, reportText } from "../../support/servers/report-lines.ts";

const begin = Date.parse("2026-11-24T12:00:00Z");
const minute = 60_000;

const enrolled = (): ServerRecord => ({
  id: "33333333-3333-4333-8333-333333333333",
  deployment: "44444444-4444-4444-8444-444444444444",
  name: "sfu-1",
  enrolledAt: begin,
  keyHash: "c".repeat(64),
  machine: machine.machine,
  instance: machine.instance,
  refused: [],
  boots: [],
  bucket: { left: 10, at: begin },
  changes: [],
});

function reportWith(...args: Parameters<typeof reportText>): Report {
  const read = parseReport(reportText(...args));
  if (!read.ok) throw new Error(`Line ${read.line} of the test's report cannot be read`);
  return read.report;
}

/** A server that took these reports, each at its minute. */
function after(...reports: [at: number, report: Report][]): ServerRecord {
  return reports.reduce((record, [at, report]) => {
    const taken = takeReport(record, report, begin + at * minute);
    return ("record" in taken && taken.record) || record;
  }, enrolled());
}

const stateAt = (record: ServerRecord, at: number) => stateOf(record, begin + at * minute);

test("the same report twice is answered twice and written once", () => {
  const report = reportWith();
  const record = after([0, report]);
  expect(takeReport(record, report, begin + minute)).toEqual({ outcome: "taken" });
});

test("a report that overtook another one stays the newest", () => {
  const record = after([0, reportWith({ seq: 2 })]);
  expect(takeReport(record, reportWith({ seq: 1 }), begin + minute)).toEqual({ outcome: "taken" });
});

test.for([
  ["just after it was connected", 0],
  ["after a quiet day", 24 * 60],
] as const)(
  "%s ten of 60 reports in a second are taken, and the others are answered when to come again",
  ([, since]) => {
    const first = begin + since * minute;
    let record = enrolled();
    const outcomes = Array.from({ length: 60 }, (_, at) => {
      const taken = takeReport(record, reportWith({ seq: at + 1 }), first + at * 16);
      if ("record" in taken && taken.record) record = taken.record;
      return taken;
    });
    expect(outcomes.filter(({ outcome }) => outcome === "taken")).toHaveLength(10);
    expect(outcomes.at(-1)).toMatchObject({ outcome: "too-often" });
    const waitMs = outcomes.flatMap((each) => ("waitMs" in each ? [each.waitMs] : [])).at(-1) ?? 0;
    expect(waitMs).toBeLessThanOrEqual(20_000);
    const next = takeReport(record, reportWith({ seq: 61 }), first + 59 * 16 + waitMs);
    expect(next.outcome).toBe("taken");
  },
);

test("a clone asks once to take the place, and after a yes reports as the server", () => {
  const record = after([0, reportWith()]);
  const clone = reportWith({ seq: 1, boot: machine.otherBoot, instance: "i-clone" });
  const duplicate = takeReport(record, clone, begin + minute);
  expect(duplicate).toMatchObject({
    outcome: "another-machine",
    record: { request: { instance: "i-clone", at: begin + minute } },
  });
  const waiting = ("record" in duplicate && duplicate.record) || record;
  expect(takeReport(waiting, clone, begin + 2 * minute)).toEqual({ outcome: "another-machine" });
  const third = reportWith({ seq: 1, boot: machine.otherBoot, instance: "i-third" });
  expect(takeReport(waiting, third, begin + 2 * minute)).toEqual({ outcome: "another-machine" });
  const later = { isAllowed: true, requestedAt: begin + 2 * minute };
  expect(answerRequest(waiting, later, begin + 3 * minute)).toBeUndefined();
  const shown = { isAllowed: true, requestedAt: begin + minute };
  const allowed = answerRequest(waiting, shown, begin + 3 * minute) ?? waiting;
  expect(allowed).not.toHaveProperty("request");
  expect(allowed.changes[0]).toMatchObject({
    code: "machine",
    from: "i-0123456789",
    to: "i-clone",
  });
  expect(takeReport(allowed, clone, begin + 4 * minute).outcome).toBe("taken");
});

test("a machine that was refused asks no second time, and the server goes on", () => {
  const record = after([0, reportWith()]);
  const clone = reportWith({ boot: machine.otherBoot, instance: "i-clone" });
  const duplicate = takeReport(record, clone, begin + minute);
  const waiting = ("record" in duplicate && duplicate.record) || record;
  const answer = { isAllowed: false, requestedAt: begin + minute };
  const refused = answerRequest(waiting, answer, begin + minute) ?? waiting;
  expect(takeReport(refused, clone, begin + 2 * minute)).toEqual({ outcome: "machine-refused" });
  expect(takeReport(refused, reportWith({ seq: 2 }), begin + 2 * minute).outcome).toBe("taken");
});

test("two boots that alternate are two machines with one key, and only the newest is shown", () => {
  const folder = (seq: number, boot: string, participants: number) =>
    reportWith({ seq, boot }, [`metric\tparticipants\t${participants}`, `doctor\t${seq}`]);
  const record = after(
    [0, folder(1, machine.boot, 7)],
    [1, folder(1, machine.otherBoot, 2)],
    [3, folder(2, machine.otherBoot, 2)],
    [5, folder(2, machine.boot, 7)],
  );
  expect(record.report?.metrics.participants).toBe(2);
  expect(stateAt(record, 6)).toEqual({ code: "duplicate" });
  expect(stateAt({ ...record, reportAt: begin + 66 * minute }, 66)).toEqual({ code: "healthy" });
});

test("where the newest boot is gone, the one before is the server again, and what its doctor finds counts", () => {
  const finding = "finding\tturn.udp.silent\tcritical\t\t\t";
  const copied = after(
    [0, reportWith({ seq: 1 })],
    [1, reportWith({ seq: 1, boot: machine.otherBoot }, ["network\t6000\t6000"])],
    [4, reportWith({ seq: 4 }, [finding])],
  );
  expect(copied.report).toMatchObject({ boot: machine.otherBoot, findings: [] });
  const back = reportWith({ seq: 5 }, [finding, "network\t9000\t9000"]);
  const taken = takeReport(copied, back, begin + 5 * minute);
  expect(taken).toMatchObject({
    record: { report: { boot: machine.boot }, reportAt: begin + 5 * minute },
  });
  expect("sample" in taken && taken.sample).not.toHaveProperty("in");
  const alone = ("record" in taken && taken.record) || copied;
  expect(causesOf(alone, begin + 5 * minute)).toContainEqual(
    expect.objectContaining({ code: "turn.udp.silent", severity: "page" }),
  );
  const next = takeReport(alone, reportWith({ seq: 6 }), begin + 6 * minute);
  expect(next).toMatchObject({ record: { report: { seq: 6 }, duplicateAt: begin + 5 * minute } });
});

test("a machine that is set back to a snapshot of its memory is silent for three minutes, and then reports again", () => {
  const record = after(
    [0, reportWith({ seq: 900 })],
    [1, reportWith({ seq: 500 })],
    [3, reportWith({ seq: 502 })],
  );
  expect(record).toMatchObject({ report: { seq: 900 }, reportAt: begin });
  expect(takeReport(record, reportWith({ seq: 900 }), begin + 4 * minute)).toEqual({
    outcome: "taken",
  });
  const set = takeReport(record, reportWith({ seq: 503 }), begin + 4 * minute);
  const going = ("record" in set && set.record) || record;
  expect(takeReport(going, reportWith({ seq: 504 }), begin + 5 * minute)).toMatchObject({
    record: { report: { seq: 504 }, reportAt: begin + 5 * minute },
  });
});

test("a reboot is one machine, though a report of the boot before arrives late", () => {
  const record = after(
    [0, reportWith({ seq: 4 })],
    [1, reportWith({ seq: 1, boot: machine.otherBoot })],
    [2, reportWith({ seq: 5 })],
  );
  expect(stateAt(record, 3)).toEqual({ code: "healthy" });
  expect(record.changes.map(({ code }) => code)).toEqual(["boot"]);
});

test("a restore of an old backup lowers no sequence number: it begins a new boot", () => {
  const record = after(
    [0, reportWith({ seq: 900 })],
    [9, reportWith({ seq: 1, boot: machine.otherBoot })],
  );
  expect(record.reportAt).toBe(begin + 9 * minute);
});

/** What a machine counts, of a process of LiveKit that began then. */
const counts = ({
  began = 1_795_313_000,
  busy,
  loss,
  seen,
  failed,
}: Record<"busy" | "loss" | "seen" | "failed", number> & { began?: number }) => [
  ...[`cpu\t${busy}\t${busy * 4}`, `node\tND_abc\t${began}`, "metric\tegress\t2"],
  ...[`metric\tloss-sum\t${loss}`, `metric\tloss-count\t${seen}`],
  ...[`metric\tjitter-sum\t${seen * 5_000}`, `metric\tjitter-count\t${seen}`],
  `metric\tjoins-failed\t${failed}`,
];

test("processor time, loss, jitter and failed joins are what was counted in between", () => {
  const record = after([0, reportWith({}, counts({ busy: 100, loss: 3, seen: 10, failed: 4 }))]);
  const next = counts({ busy: 350, loss: 4.5, seen: 40, failed: 10 });
  expect(takeReport(record, reportWith({ seq: 2 }, next), begin + 2 * minute)).toMatchObject({
    sample: { cpu: 25, loss: 0.05, jitter: 5, failedJoins: 3, recordings: 2 },
  });
});

test("nothing is said of what was counted when LiveKit started anew, or when nobody was in a call", () => {
  const first = counts({ busy: 100, loss: 3, seen: 10, failed: 4 });
  const record = after([0, reportWith({}, first)]);
  const anew = counts({ busy: 200, loss: 9, seen: 90, failed: 9, began: 1_795_313_060 });
  const taken = takeReport(record, reportWith({ seq: 2 }, anew), begin + minute);
  expect(taken).toMatchObject({ sample: { cpu: 25, recordings: 2 } });
  const { sample } = taken as { sample: object };
  expect(Object.keys(sample)).not.toEqual(expect.arrayContaining(["loss"]));
  expect(sample).not.toHaveProperty("failedJoins");
  const quiet = counts({ busy: 200, loss: 3, seen: 10, failed: 4 });
  const still = takeReport(record, reportWith({ seq: 2 }, quiet), begin + minute);
  expect(still).toMatchObject({ sample: { failedJoins: 0 } });
  expect((still as { sample: object }).sample).not.toHaveProperty("loss");
  expect((still as { sample: object }).sample).not.toHaveProperty("jitter");
});

test("traffic is what was counted in between, and nothing after a restart", () => {
  const counted = (seq: number, bytes: number, boot: string = machine.boot) =>
    reportWith({ seq, boot }, [`network\t${bytes}\t${bytes * 2}`]);
  const record = after([0, counted(1, 6_000)]);
  const lostOne = takeReport(record, counted(3, 18_000), begin + 2 * minute);
  expect(lostOne).toMatchObject({ sample: { in: 100, out: 200 } });
  const rebooted = takeReport(record, counted(1, 90_000, machine.otherBoot), begin + minute);
  expect("sample" in rebooted && rebooted.sample).not.toHaveProperty("in");
});

test("restarts of LiveKit stay with the server until its history has them, however many reports come meanwhile", () => {
  const of = (seq: number, node: string, startedAt: number) =>
    reportWith({ seq }, [`node\t${node}\t${startedAt}`]);
  const record = after(
    [0, of(1, "ND_one", 1_000)],
    [1, of(2, "ND_two", 2_000)],
    [2, of(3, "ND_two", 2_000)],
    [3, reportWith({ seq: 4 })],
    [4, of(5, "ND_three", 3_000)],
  );
  const heardAt = reportWith().at;
  expect(record.restarts).toEqual([
    { at: heardAt, startedAt: 2_000_000 },
    { at: heardAt, startedAt: 3_000_000 },
  ]);
  expect(withoutRestarts(record, 2_000_000).restarts).toEqual([record.restarts?.[1]]);
  expect(withoutRestarts(record, 3_000_000)).not.toHaveProperty("restarts");
});

test.for([
  ["waits for its first report", [], 0, { code: "waiting" }],
  [
    "boots",
    ["stage\tconnected\t1", "stage\tsecrets\t2"],
    1,
    { code: "booting", stage: "packages" },
  ],
  ["is healthy", [], 1, { code: "healthy" }],
  [
    "is degraded by the worst of its findings",
    ["finding\tdisk.filling\twarning\t/\t\t", "finding\tturn.udp.silent\tcritical\t\t\t"],
    1,
    { code: "degraded", finding: "turn.udp.silent" },
  ],
  ["is down after three minutes", [], 3, { code: "down", since: begin }],
  ["has fifteen minutes after it said that it reboots", ["going\treboot"], 14, { code: "healthy" }],
  [
    "has these minutes and the drain's after it said that it reboots once calls have ended",
    ["going\treboot", "drain\t20"],
    34,
    { code: "healthy" },
  ],
  [
    "is down when it does not come back after a drain",
    ["going\treboot", "drain\t20"],
    36,
    { code: "down", since: begin },
  ],
  [
    "has no more than the longest drain there is",
    ["going\treboot", "drain\t99999"],
    736,
    { code: "down", since: begin },
  ],
  ["updates", ["going\tupdate"], 14, { code: "updating", since: begin }],
  ["is down when it does not come back", ["going\tupdate"], 16, { code: "down", since: begin }],
] as const)("a server %s", ([, more, at, state]) => {
  const record = state.code === "waiting" ? enrolled() : after([0, reportWith({}, more)]);
  expect(stateAt(record, at)).toEqual(state);
});

test("a key that ended takes nothing", () => {
  const ended = { ...after([0, reportWith()]), retiredAt: begin + minute };
  expect(takeReport(ended, reportWith({ seq: 2 }), begin + minute)).toEqual({
    outcome: "key-revoked",
  });
  expect(stateAt(ended, 9)).toEqual({ code: "retired", since: begin + minute });
});

test.for([
  ["down, where its domain is not known", undefined, undefined, "down"],
  ["down, where its domain is no name that can be asked", "localhost", undefined, "down"],
  ["silent, until its domain was asked", "rtc.example.com", undefined, "silent"],
  ["silent, where its LiveKit answers", "rtc.example.com", true, "silent"],
  ["down, where nothing answers", "rtc.example.com", false, "down"],
] as const)("a server that reports no more is %s", ([, domain, answers, code]) => {
  const silent = after([0, reportWith()]);
  const at = begin + 3 * minute;
  const probed = answers === undefined ? {} : { probe: { at, answers } };
  const record = { ...silent, ...(domain ? { domain } : {}), silence: { foundAt: at, ...probed } };
  expect(stateAt(record, 4)).toEqual({ code, since: begin });
});

const deployment = "44444444-4444-4444-8444-444444444444";
const madeFrom = (version: number, hash: string) => `made-from\t${deployment}\t${version}\t${hash}`;
const [asMade, other] = ["a".repeat(64), "d".repeat(64)];

test("what changed says which version a server ran and runs, and that its files were changed by hand", () => {
  const ran = (seq: number, version: string, files: string) =>
    reportWith({ seq, version }, [files]);
  const record = after(
    [0, ran(1, asMade, madeFrom(1, asMade))],
    [1, ran(2, other, madeFrom(1, asMade))],
    [2, ran(3, asMade, madeFrom(2, asMade))],
    [3, reportWith({ seq: 4, version: other })],
    [4, reportWith({ seq: 5, version: asMade })],
  );
  expect(record.changes.map(({ code, from, to }) => [code, from, to])).toEqual([
    ["version", "", ""],
    ["version", "version 2", ""],
    ["version", "version 1, changed", "version 2"],
    ["version", "version 1", "version 1, changed"],
  ]);
});

test("while an update exchanges files a server runs the version from before, until all are there", () => {
  const former = reportWith({ seq: 1, version: asMade }, [madeFrom(1, asMade)]);
  const during = reportWith({ seq: 2, version: other }, [madeFrom(2, asMade), "going\tupdate"]);
  const half = after([0, former], [1, during]);
  expect(half.report).toMatchObject({
    version: asMade,
    madeFrom: { version: 1, isChanged: false },
  });
  expect(half.changes).toEqual([]);
  const whole = reportWith({ seq: 3, version: asMade }, [madeFrom(2, asMade), "going\tupdate"]);
  const record = after([0, former], [1, during], [2, whole]);
  expect(record.changes.map(({ from, to }) => [from, to])).toEqual([["version 1", "version 2"]]);
});

test("five copies of a machine, which all have its ids, are more than one machine with one key", () => {
  const bootOf = (copy: number) => `${copy}${machine.boot.slice(1)}`;
  const turns = Array.from({ length: 25 }, (_, at): [number, Report] => [
    at / 5,
    reportWith({ seq: Math.floor(at / 5) + 1, boot: bootOf(at % 5) }),
  ]);
  expect(stateAt(after(...turns), 5)).toEqual({ code: "duplicate" });
});

const stage = (code: string) => `stage\t${code}\t1`;
const early = ["connected", "secrets", "packages", "tools", "images"].map(stage);
const finding = "finding\tturn.udp.silent\tcritical\t\tnothing came back\t";
const hour = 60 * minute;
const codesOf = (record: ServerRecord, now: number) =>
  causesOf(record, now).map(({ code, severity }) => `${code} ${severity}`);

test("a boot that is ready is over, though a stage before was never reported", () => {
  const booted = after([0, reportWith({}, [...early, stage("ready"), "doctor\t9", finding])]);
  expect(stateAt(booted, 1)).toEqual({ code: "degraded", finding: "turn.udp.silent" });
  expect(codesOf(booted, begin)).toEqual(["turn.udp.silent page"]);
});

test("a boot that never ends is one for two hours, and then what its doctor finds counts", () => {
  const booting = (at: number) => {
    const report = reportWith({ seq: at + 1 }, [...early, `doctor\t${at}`, finding]);
    return after([0, reportWith({}, early)], [at, report]);
  };
  expect(stateAt(booting(119), 119)).toEqual({ code: "booting", stage: "services" });
  expect(codesOf(booting(119), begin + 119 * minute)).toEqual([]);
  expect(stateAt(booting(120), 120)).toEqual({ code: "degraded", finding: "turn.udp.silent" });
  expect(codesOf(booting(120), begin + 2 * hour)).toEqual(["turn.udp.silent page"]);
  const machineCame = { at: begin + hour, code: "machine", subject: "", from: "", to: "" } as const;
  const rebuilt = { ...booting(120), changes: [machineCame] };
  expect(stateAt(rebuilt, 120)).toEqual({ code: "booting", stage: "services" });
});

test("C3: a first boot that tries again alarms nobody, and one that has given up does at once", () => {
  const bootingWith = (code: string, severity: string) =>
    after([
      0,
      reportWith({}, [stage("connected"), `finding\t${code}\t${severity}\tpackages\tx\t`]),
    ]);
  const retrying = bootingWith("boot.retrying", "warning");
  expect(stateAt(retrying, 1)).toEqual({ code: "booting", stage: "secrets" });
  expect(codesOf(retrying, begin + minute)).toEqual([]);
  const failed = bootingWith("boot.failed", "critical");
  expect(stateAt(failed, 1)).toEqual({ code: "degraded", finding: "boot.failed" });
  expect(codesOf(failed, begin + minute)).toEqual(["boot.failed page"]);
});

/** A report each minute from one until the other, each with these lines. */
const reports = (from: number, until: number, linesAt: (at: number) => readonly string[]) =>
  Array.from({ length: until - from }, (_, at): [number, Report] => [
    from + at,
    reportWith({ seq: from + at + 1 }, linesAt(from + at)),
  ]);

test("what a doctor found counts on while it cannot look, and after an hour its silence is a cause, too", () => {
  const afterLook = after([
    0,
    reportWith({}, ["doctor\t9", finding, "certificate\ta.example\t9999"]),
  ]);
  const later = (minutes: number) =>
    reports(1, minutes + 1, () => []).reduce((record, [at, report]) => {
      const taken = takeReport(record, report, begin + at * minute);
      return ("record" in taken && taken.record) || record;
    }, afterLook);
  expect(later(60)).toMatchObject({
    report: { doctorAt: 9_000, certificates: [{ name: "a.example" }], seq: 61 },
  });
  expect(codesOf(later(60), begin + hour)).toEqual(["turn.udp.silent page"]);
  expect(codesOf(later(61), begin + hour + minute)).toEqual([
    "turn.udp.silent page",
    "doctor.silent notify",
  ]);
  const moved = reportWith({ seq: 1, boot: machine.otherBoot, instance: "i-clone" });
  const allowed = { ...afterLook, instance: "i-clone" };
  expect(takeReport(allowed, moved, begin + minute)).toMatchObject({
    record: { report: { findings: [] } },
  });
});

test.for([
  ["looks", () => ["doctor\t9"], { code: "degraded", finding: "doctor.silent" }],
  ["never looked", () => [], { code: "degraded", finding: "doctor.silent" }],
  ["looks again and again", (at: number) => [`doctor\t${at}`], { code: "healthy" }],
  [
    "looked until an update began",
    (at: number) => (at < 50 ? [`doctor\t${at}`] : ["doctor\t50", "going\tupdate"]),
    { code: "updating", since: begin + 50 * minute },
  ],
  [
    "cannot look because of a restart that waits for a quiet moment",
    (at: number) => (at < 1 ? ["doctor\t9"] : ["doctor\t9", "busy"]),
    { code: "healthy" },
  ],
] as const)("a server whose doctor %s is shown so after an hour", ([, linesAt, state]) => {
  expect(stateAt(after(...reports(0, 62, linesAt)), 61)).toEqual(state);
});

test("a doctor that does not look while the machine is away is not missed", () => {
  const before = reports(0, 40, () => ["doctor\t9"]);
  const since = reports(50, 90, () => ["doctor\t9"]);
  expect(stateAt(after(...before, ...since), 89)).toEqual({ code: "healthy" });
});

test.for(["busy", "going\tupdate"])(
  "a doctor that cannot look (%s) is not missed for the longest wait, nor just after it, and is in the end",
  (line) => {
    const until = (minutes: number) => after(...reports(0, minutes, () => ["doctor\t9", line]));
    const waited = until(12 * 60);
    const next = reportWith({ seq: 12 * 60 + 1 }, ["doctor\t9"]);
    expect(takeReport(waited, next, begin + 12 * hour)).not.toMatchObject({
      record: { busyAt: expect.anything() },
    });
    expect(codesOf(waited, begin + 12 * hour)).toEqual([]);
    const longer = reports(12 * 60, 12 * 60 + 59, () => ["doctor\t9"]).reduce(
      (record, [at, report]) => {
        const taken = takeReport(record, report, begin + at * minute);
        return ("record" in taken && taken.record) || record;
      },
      waited,
    );
    expect(codesOf(longer, begin + 13 * hour)).toEqual([]);
    expect(codesOf(until(13 * 60 + 59), begin + 14 * hour)).toEqual([]);
    expect(codesOf(until(14 * 60), begin + 14 * hour)).toEqual(["doctor.silent notify"]);
  },
);

test("an update is shown since it began, and for 13 hours at most", () => {
  const updating = (minutes: number) =>
    after(...reports(0, minutes + 1, (at) => [`doctor\t${at}`, "going\tupdate"]));
  const longest = 13 * 60;
  expect(stateAt(updating(longest - 1), longest - 1)).toEqual({ code: "updating", since: begin });
  expect(stateAt(updating(longest - 1), longest + 13)).toMatchObject({ code: "updating" });
  expect(stateAt(updating(longest), longest)).toEqual({ code: "healthy" });
  const past = longest + 10;
  expect(stateAt(updating(past), past)).toEqual({ code: "healthy" });
  expect(stateAt(updating(past), past + 3)).toEqual({ code: "down", since: begin + past * minute });
  const ended = reportWith({ seq: 70 }, ["doctor\t99"]);
  const [over, again] = [after([0, ended]), reportWith({ seq: 71 }, ["going\tupdate"])];
  expect(takeReport({ ...over }, again, begin + minute)).toMatchObject({
    record: { updatingAt: begin + minute },
  });
});

test("what there should be instead of what a doctor found is known, and the newest counts", () => {
  const missing = (seq: number, wanted: string) =>
    reportWith({ seq }, [`finding\tdns.missing\tcritical\trtc.example.com\tno address\t${wanted}`]);
  const record = after([0, missing(1, "A 203.0.113.7")]);
  const options = { newId: () => "i", server: "s" };
  const { incident } = stepIncident(undefined, causesOf(record, begin), begin, options);
  expect(incident?.causes).toMatchObject([{ code: "dns.missing", wanted: "A 203.0.113.7" }]);
  const moved = after([0, missing(1, "A 203.0.113.7")], [1, missing(2, "A 203.0.113.8")]);
  const next = stepIncident(incident, causesOf(moved, begin + minute), begin + minute, options);
  expect(next.incident?.causes).toMatchObject([{ since: begin, wanted: "A 203.0.113.8" }]);
});

test("a copy that asks for the place leaves a server the time in which it may report again", () => {
  const suspension = {
    why: "plan-limit",
    allowed: 1,
    since: begin,
    until: begin + 15 * minute,
  } as const;
  const record = { ...after([0, reportWith()]), suspension };
  const copy = reportWith({ seq: 2, instance: "i-copy" });
  const taken = takeReport(record, copy, begin + minute);
  expect(taken).toMatchObject({ outcome: "another-machine", record: { suspension } });
});

test("that the doctor passed and that somebody was in a call stays known from when it was first so", () => {
  const critical = ["finding\tdisk.full\tcritical\t/\t97 %\t"];
  const call = ["metric\tparticipants\t2"];
  const failing = after([0, reportWith({ doctor: 1_795_313_600 }, critical)]);
  expect(failing.milestones).toEqual({});
  const record = after(
    [0, reportWith({ doctor: 1_795_313_600 }, critical)],
    [1, reportWith({ seq: 2, doctor: 1_795_313_660 })],
    [2, reportWith({ seq: 3, doctor: 1_795_313_720 }, call)],
    [3, reportWith({ seq: 4, doctor: 1_795_313_780 }, [...critical, ...call])],
  );
  expect(record.milestones).toEqual({
    doctorPassedAt: 1_795_313_660_000,
    callAt: begin + 2 * minute,
  });
});
