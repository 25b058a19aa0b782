import type { Cause } from "./cause";
import type { ServerRecord } from "./server-record";
import { isExcused, type Outage } from "./silence";
import { nextStage, stateOf } from "./state";

/** What is wrong with a server at a moment; none of it has ended. */
export type Wrong = Omit<Cause, "endedAt">;

/**
 * What is wrong with a server. What the doctor said last counts until it says otherwise, but not before the first boot
 * is over. A silence that is our fault is nothing wrong with the server.
 */
export function causesOf(record: ServerRecord, now: number, outage?: Outage): Wrong[] {
  const state = stateOf(record, now, outage);
  if (state.code === "retired" || state.code === "waiting" || state.code === "paused") return [];
  if (!record.report) return [];
  const said = nextStage(record) ? [] : findingsOf(record, record.report, now);
  switch (state.code) {
    case "down":
      return [{ code: "down", subject: "", severity: "pages", since: state.since }, ...said];
    case "silent":
      return isExcused(record, now, outage) || !record.silence?.probe
        ? said
        : [{ code: "silent", subject: "", severity: "tells", since: state.since }, ...said];
    case "twice":
      return [{ code: "twice", subject: "", severity: "tells", since: now }, ...said];
    default:
      return said;
  }
}

function findingsOf(
  { reportAt }: ServerRecord,
  { findings }: NonNullable<ServerRecord["report"]>,
  now: number,
): Wrong[] {
  const named = new Map(findings.map((each) => [`${each.code} ${each.subject}`, each]));
  return [...named.values()].map(({ code, severity, subject, found }) => ({
    ...{ code, subject, severity: severity === "critical" ? "pages" : "tells" },
    since: reportAt ?? now,
    ...(found ? { found } : {}),
  }));
}
