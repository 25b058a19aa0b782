import type { Report, ServerRecord } from "./server-record";

/** A doctor looks every five minutes. */
const silentAfterMs = 60 * 60_000;

const doctorSilent: Report["findings"][number] = {
  ...{ code: "doctor.silent", severity: "warning", subject: "", found: "", wanted: "" },
};

/** What its doctor found when it last looked, and that it does not look where reports came for an hour without it. */
export function findingsOf({ report, reportAt, unlookedAt }: ServerRecord): Report["findings"] {
  if (!report || reportAt === undefined) return [];
  if (reportAt - (unlookedAt ?? reportAt) < silentAfterMs) return report.findings;
  return [...report.findings, doctorSilent];
}
