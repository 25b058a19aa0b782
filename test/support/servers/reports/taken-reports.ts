import { parseReport } from "~/features/servers/ingest/report.ts";
import { takeReport } from "~/features/servers/ingest/take-report.ts";
import type { Report, ServerRecord } from "~/features/servers/state/server-record.ts";
import { stateOf } from "~/features/servers/state/state.ts";
import { machine, reportText } from "../report-lines.ts";

/** When the servers of these tests were enrolled. */
export const begin = Date.parse("2026-11-24T12:00:00Z");
export const minute = 60_000;

export const enrolled = (): ServerRecord => ({
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

export function reportWith(...args: Parameters<typeof reportText>): Report {
  const read = parseReport(reportText(...args));
  if (!read.ok) throw new Error(`Line ${read.line} of the test's report cannot be read`);
  return read.report;
}

/** A server that took these reports, each at its minute. */
export function after(...reports: [at: number, report: Report][]): ServerRecord {
  return reports.reduce((record, [at, report]) => {
    const taken = takeReport(record, report, begin + at * minute);
    return ("record" in taken && taken.record) || record;
  }, enrolled());
}

export const stateAt = (record: ServerRecord, at: number) => stateOf(record, begin + at * minute);
