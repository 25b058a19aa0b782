import { expect, test } from "vitest";
import { causesOf } from "~/features/servers/incidents/faults/server-causes.ts";
import { stepIncident } from "~/features/servers/incidents/step.ts";
import { takeReport } from "~/features/servers/ingest/take-report.ts";
import type { Report, ServerRecord } from "~/features/servers/state/server-record.ts";
import { machine } from "../../../support/servers/report-lines.ts";

import {
  after,
  begin,
  enrolled,
  minute,
  reportWith,
  stateAt,
} from "../../../support/servers/reports/taken-reports.ts";

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
