import { connectedCommands } from "../../layout/layout";
import type { ServerRecord } from "../../state/server-record";
import { findingsOf, isExcused, nextStage, type Outage, stateOf } from "../../state/state";
import type { Wrong } from "../incident";

/** Two machines use one key. The code is a wire name, because webhooks send it. */
const duplicateCause = "twice";

/**
 * What is wrong with a server. The findings of the last doctor run count until the next one, but not before the first boot
 * is over. A silence that is our fault is nothing wrong with the server.
 */
export function causesOf(record: ServerRecord, now: number, outage?: Outage): Wrong[] {
  const state = stateOf(record, now, outage);
  if (state.code === "retired" || state.code === "waiting" || state.code === "paused") return [];
  const reported = nextStage(record, now) ? [] : foundCauses(record, now);
  // What there is to run on a machine without our doctor.
  const layout = record.report?.layout;
  const wanted = layout ? { wanted: connectedCommands(layout).status } : {};
  switch (state.code) {
    case "down":
      return [
        { code: "down", subject: "", severity: "page", since: state.since, ...wanted },
        ...reported,
      ];
    case "silent":
      return isExcused(record, now, outage) || !record.silence?.probe
        ? reported
        : [
            { code: "silent", subject: "", severity: "notify", since: state.since, ...wanted },
            ...reported,
          ];
    case "duplicate":
      return [
        { code: duplicateCause, subject: "", severity: "notify", since: now, ...wanted },
        ...reported,
      ];
    default:
      return reported;
  }
}

function foundCauses(record: ServerRecord, now: number): Wrong[] {
  const unique = new Map(findingsOf(record).map((each) => [`${each.code} ${each.subject}`, each]));
  return [...unique.values()].map(({ code, severity, subject, found, wanted }) => ({
    ...{ code, subject, severity: severity === "critical" ? "page" : "notify" },
    since: record.reportAt ?? now,
    ...(found ? { found } : {}),
    ...(wanted ? { wanted } : {}),
  }));
}
