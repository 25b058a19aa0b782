import { expect, test } from "vitest";
import { stepReport } from "~/features/servers/incidents/causes.ts";
import { causesOf } from "~/features/servers/incidents/faults/server-causes.ts";
import { parseReport } from "~/features/servers/ingest/report.ts";
import type { ServerRecord } from "~/features/servers/state/server-record.ts";
import { findingsOf, stateOf } from "~/features/servers/state/state.ts";
import type { Threshold } from "~/features/servers/state/threshold.ts";
import { thresholdsFor, trafficAfter } from "~/features/servers/state/thresholds.ts";
import { causeWords } from "../../../../app/features/servers/incidents/cause-words.ts";
import { machine, reportText } from "../../../support/servers/report-lines.ts";

const begin = Date.parse("2026-11-24T12:00:00Z");
const minute = 60_000;
const deployment = "44444444-4444-4444-8444-444444444444";

const enrolled: ServerRecord = {
  ...{ id: "s-1", deployment, name: "sfu-1", enrolledAt: begin, keyHash: "c".repeat(64) },
  ...{ machine: machine.machine, instance: machine.instance },
  ...{ refused: [], boots: [], bucket: { left: 10, at: begin }, changes: [] },
};

const threshold = (of: Partial<Threshold>): Threshold => ({
  ...{ id: "t-1", measure: "participants", value: 200, severity: "notify" },
  ...of,
});

/** A server whose reports say these lines, a minute after the other. */
function reported(thresholds: readonly Threshold[], reports: readonly (readonly string[])[]) {
  return reports.reduce((record, lines, at) => {
    const read = parseReport(reportText({ seq: at + 1 }, lines));
    if (!read.ok) throw new Error(`Line ${read.line} cannot be read`);
    const surroundings = { thresholds, newId: () => "i-1" };
    const { step } = stepReport({ record }, read.report, begin + at * minute, surroundings);
    return step?.record ?? record;
  }, enrolled);
}

const people = (...counts: readonly number[]) =>
  counts.map((count) => [`metric\tparticipants\t${count}`]);
const codesOf = (record: ServerRecord) => findingsOf(record).map(({ code }) => code);

test("a threshold that was reached for five minutes is a finding with what was measured and what was set", () => {
  const four = people(200, 230, 240, 250, 260);
  expect(codesOf(reported([threshold({})], four))).toEqual([]);
  const five = reported([threshold({})], [...four, ...people(270)]);
  expect(findingsOf(five)).toEqual([
    {
      ...{ code: "threshold.participants", severity: "warning", subject: "" },
      ...{ found: "200 in calls", wanted: "200 in calls" },
    },
  ]);
  expect(stateOf(five, begin + 5 * minute)).toEqual({
    ...{ code: "degraded", finding: "threshold.participants" },
  });
});

test("a report below a threshold ends it, and five minutes begin anew", () => {
  const record = reported([threshold({})], people(210, 210, 210, 199, 210, 210, 210, 210, 210));
  expect(codesOf(record)).toEqual([]);
  expect(record.exceeded).toMatchObject([{ since: begin + 4 * minute }]);
  expect(reported([threshold({})], people(210, 10))).not.toHaveProperty("exceeded");
});

test("of two thresholds of a measure the one that pages counts, also where the lower one lasted before", () => {
  const both = [threshold({}), threshold({ id: "t-2", value: 300, severity: "page" })];
  const warned = reported(both, people(...Array<number>(6).fill(250)));
  expect(findingsOf(warned)).toMatchObject([{ severity: "warning", wanted: "200 in calls" }]);
  const paged = reported(both, people(...Array<number>(6).fill(301)));
  expect(findingsOf(paged)).toMatchObject([{ severity: "critical", wanted: "300 in calls" }]);
  expect(causesOf(paged, begin + 5 * minute)).toMatchObject([
    { code: "threshold.participants", severity: "page", found: "301 in calls" },
  ]);
});

test("a deployment's own thresholds take the place of those for all servers, measure by measure", () => {
  const all = [
    threshold({ id: "all" }),
    threshold({ id: "disk", measure: "disk", value: 70 }),
    threshold({ id: "own", deployment, value: 500 }),
    threshold({ id: "other", deployment: "d-2", value: 10 }),
  ];
  expect(thresholdsFor(enrolled, all).map(({ id }) => id)).toEqual(["own", "disk"]);
});

test("load, memory and disk are hundredths of what the machine has, and what it does not say exceeds nothing", () => {
  const set = (["load", "memory", "disk"] as const).map((measure) =>
    threshold({ id: measure, measure, value: 80 }),
  );
  const full = ["load\t3.3", "cpus\t4", "memory\t90\t100", "disk\t80\t100"];
  const well = ["load\t3.1", "cpus\t4", "memory\t79\t100", "disk\t79\t100"];
  const six = (lines: readonly string[]) => Array.from({ length: 6 }, () => lines);
  expect(findingsOf(reported(set, six(full))).map(({ found }) => found)).toEqual([
    ...["83 %", "90 %", "80 %"],
  ]);
  expect(codesOf(reported(set, six(well)))).toEqual([]);
  expect(codesOf(reported(set, six(["load\t9", "memory\t9\t0"])))).toEqual([]);
});

test("what is sent counts in its month of UTC, over reboots, and from the second report on", () => {
  const counted = (boot: string, out: number) => ({ boot, network: { in: out / 2, out } });
  const first = counted("one", 900);
  expect(trafficAfter({}, first, begin)).toBeUndefined();
  const report = { ...first } as ServerRecord["report"] & object;
  const second = trafficAfter({ report }, counted("one", 1_000), begin);
  expect(second).toEqual({ month: "2026-11", in: 50, out: 100 });
  const rebooted = { traffic: second as NonNullable<typeof second>, report };
  expect(trafficAfter(rebooted, counted("two", 40), begin)).toMatchObject({ out: 140, in: 70 });
  const december = Date.parse("2026-12-01T00:00:30Z");
  const next = trafficAfter(rebooted, counted("one", 930), december);
  expect(next).toEqual({ month: "2026-12", in: 15, out: 30 });
});

test("a month's traffic is judged like the rest, and a new month is below the threshold again", () => {
  const set = [threshold({ measure: "traffic", value: 1_000, severity: "page" })];
  const sent = (gigabytes: number) => [`network\t0\t${gigabytes}000000000`];
  const record = reported(set, [sent(1), ...[1_001, 1_002, 1_003, 1_004, 1_005, 1_006].map(sent)]);
  expect(findingsOf(record)).toMatchObject([
    { code: "threshold.traffic", found: "1,000 GB", wanted: "1,000 GB", severity: "critical" },
  ]);
});

test("each measure has words of its own, which say what to do", () => {
  for (const measure of ["participants", "load", "memory", "disk", "traffic"]) {
    const { title, next } = causeWords({ code: `threshold.${measure}`, subject: "", wanted: "9" });
    expect(title).not.toContain("threshold.");
    expect(next).toContain("9");
  }
});
