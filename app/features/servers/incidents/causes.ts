import { findingsOf } from "../state/findings";
import type { ServerRecord } from "../state/server-record";
import { isExcused, type Outage } from "../state/silence";
import { nextStage, stateOf } from "../state/state";
import type { Cause } from "./cause";

/** What is wrong with a server at a moment; none of it has ended. */
export type Wrong = Omit<Cause, "endedAt">;

/**
 * What is wrong with a server. What the doctor said last counts until it says otherwise, but not before the first boot
 * is over. A silence that is our fault is nothing wrong with the server.
 */
export function causesOf(record: ServerRecord, now: number, outage?: Outage): Wrong[] {
  const state = stateOf(record, now, outage);
  if (state.code === "retired" || state.code === "waiting" || state.code === "paused") return [];
  const said = nextStage(record, now) ? [] : foundCauses(record, now);
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

function foundCauses(record: ServerRecord, now: number): Wrong[] {
  const named = new Map(findingsOf(record).map((each) => [`${each.code} ${each.subject}`, each]));
  return [...named.values()].map(({ code, severity, subject, found, wanted }) => ({
    ...{ code, subject, severity: severity === "critical" ? "pages" : "tells" },
    since: record.reportAt ?? now,
    ...(found ? { found } : {}),
    ...(wanted ? { wanted } : {}),
  }));
}
