import { type Taken, takeReport } from "../ingest/take-report";
import type { Report, ServerRecord } from "../state/server-record";
import {
  fallsSilent,
  findingsOf,
  isExcused,
  isOurFault,
  nextStage,
  type Outage,
  stateOf,
} from "../state/state";
import { shownPause } from "../state/suspension.server";
import type { Incident, Wrong } from "./incident";
import { stepIncident, type Told } from "./step";

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

/** A server as it is watched: what is kept of it, and its newest incident, open or closed. */
export type Watched = { record: ServerRecord; incident?: Incident | undefined };

/** What a server is judged with, and how an incident gets its id. */
export type Surroundings = { outage?: Outage | undefined; newId: () => string };

/** The same objects as before where nothing changed; `told` is what people are told now. */
export type Step = Watched & { told: Told[] };

/** What a report does to a server and to its incident. `step` is undefined where the report changes nothing. */
export function stepReport(
  watched: Watched,
  report: Report,
  now: number,
  surroundings: Surroundings,
): { taken: Taken; step: Step | undefined } {
  const taken = takeReport(watched.record, report, now);
  const record = "record" in taken ? taken.record : undefined;
  return {
    taken,
    step: record && stepServer({ ...watched, record }, now, surroundings),
  };
}

/** What time does to a server and to its incident: it falls silent, five good minutes are over, a sum is due. */
export function stepServer(watched: Watched, now: number, surroundings: Surroundings): Step {
  const { outage, newId } = surroundings;
  const record = noticed(watched.record, now, outage);
  const { incident, told } = stepIncident(watched.incident, causesOf(record, now, outage), now, {
    newId,
    server: record.id,
    quietUntil: record.maintenanceUntil,
    isOver:
      record.retiredAt !== undefined ||
      shownPause(record, now) !== undefined ||
      isOurFault(record, now, outage),
  });
  return { record, incident, told };
}

/** The silence is noted when it begins. */
function noticed(record: ServerRecord, now: number, outage: Outage | undefined): ServerRecord {
  return fallsSilent(record, now, outage) ? { ...record, silence: { foundAt: now } } : record;
}
