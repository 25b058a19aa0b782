import { type Taken, takeReport } from "../ingest/take-report";
import { connectedCommands } from "../layout/layout";
import type { Report, ServerRecord } from "../state/server-record";
import {
  fallsSilent,
  findingsOf,
  isExcused,
  isHiddenByOutage,
  nextStage,
  type Outage,
  stateOf,
} from "../state/state";
import { visibleSuspension } from "../state/suspension.server";
import type { Threshold } from "../state/threshold";
import { withExceeded } from "../state/thresholds";
import type { Incident, Opening, Wrong } from "./incident";
import { type Notification, type StepOptions, stepIncident } from "./step";

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

/** A server with its newest incident, open or closed. */
export type MonitoredServer = { record: ServerRecord; incident?: Incident | undefined };

/** What a server is judged with, how an incident gets its id, and until when a repeat is due now. */
export type Surroundings = {
  outage?: Outage | undefined;
  /** Of all its workspace. */
  thresholds?: readonly Threshold[];
  newId: () => string;
  repeatsBy?: number | undefined;
};

/** The same objects as before where nothing changed; `notifications` are those to send now. */
export type Step = MonitoredServer & { notifications: Notification[] };

/** What a report does to a server and to its incident. `step` is undefined where the report changes nothing. */
export function stepReport(
  monitored: MonitoredServer,
  report: Report,
  now: number,
  surroundings: Surroundings,
): { taken: Taken; step: Step | undefined } {
  const taken = takeReport(monitored.record, report, now);
  if (!("record" in taken) || !taken.record) return { taken, step: undefined };
  const record = withExceeded(taken.record, surroundings.thresholds ?? [], now);
  return { taken, step: stepServer({ ...monitored, record }, now, surroundings, monitored.record) };
}

/**
 * What time does to a server and to its incident: it falls silent, five good minutes are over, a rollup is due. `former`:
 * the server before a report.
 */
export function stepServer(
  monitored: MonitoredServer,
  now: number,
  surroundings: Surroundings,
  former = monitored.record,
): Step {
  const { outage, newId, repeatsBy } = surroundings;
  const record = withSilence(monitored.record, now, outage);
  const { incident, notifications } = stepIncident(
    monitored.incident,
    causesOf(record, now, outage),
    now,
    {
      newId,
      server: record.id,
      quietUntil: record.maintenanceUntil,
      repeatsBy,
      ...overOf(record, now, outage),
      opening: () => openingOf(record, former, now),
    },
  );
  return { record, incident, notifications };
}

function overOf(
  record: ServerRecord,
  now: number,
  outage: Outage | undefined,
): Pick<StepOptions, "over"> {
  if (record.retiredAt !== undefined) return { over: "disconnected" };
  if (visibleSuspension(record, now)) return { over: "paused" };
  return isHiddenByOutage(record, now, outage) ? { over: "outage" } : {};
}

const hourMs = 60 * 60_000;
const maxChangesBefore = 8;

/** What fails may have ended the calls already when it is reported, so the report before counts too. */
function openingOf(record: ServerRecord, former: ServerRecord, now: number): Opening {
  const counts = [record, former].flatMap(({ report }) => report?.metrics.participants ?? []);
  const changesBefore = record.changes
    .filter(({ at, code }) => at >= now - hourMs && !(at === now && code === "finding"))
    .slice(0, maxChangesBefore);
  return {
    ...(counts.length > 0 ? { participants: Math.max(...counts) } : {}),
    ...(changesBefore.length > 0 ? { changesBefore } : {}),
  };
}

/** The silence is noted when it begins. */
function withSilence(record: ServerRecord, now: number, outage: Outage | undefined): ServerRecord {
  return fallsSilent(record, now, outage) ? { ...record, silence: { foundAt: now } } : record;
}
