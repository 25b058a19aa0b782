import { type Taken, takeReport } from "../ingest/take-report";
import { clusterIdOf, type Report, type ServerRecord, watchedOf } from "../state/server-record";
import { fallsSilent, isHiddenByOutage, type Outage } from "../state/state";
import { visibleSuspension } from "../state/suspension.server";
import type { Threshold } from "../state/threshold";
import { withExceeded } from "../state/thresholds";
import { clusterCauses } from "./faults/cluster-causes";
import { causesOf } from "./faults/server-causes";
import type { Incident, Opening } from "./incident";
import { type Notification, type StepOptions, stepIncident } from "./step";

/**
 * A server with the newest incident, open or closed, that it has or its cluster. `others`: the servers that are connected of
 * its cluster.
 */
export type MonitoredServer = {
  record: ServerRecord;
  incident?: Incident | undefined;
  others?: readonly ServerRecord[] | undefined;
};

/** What a server is judged with, how an incident gets its id, and until when a repeat is due now. */
export type Surroundings = {
  outage?: Outage | undefined;
  /** Of all its workspace. */
  thresholds?: readonly Threshold[];
  newId: () => string;
  repeatsBy?: number | undefined;
};

/** The same objects as before where nothing changed; `notifications` are those to send now. */
export type Step = Omit<MonitoredServer, "others"> & { notifications: Notification[] };

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
  // In another cluster, or none, it has another incident: the caller looks at both.
  if (watchedOf(record) !== watchedOf(monitored.record)) {
    return { taken, step: { record, incident: monitored.incident, notifications: [] } };
  }
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
  const { others = [], incident: formerIncident } = monitored;
  const isCluster = clusterIdOf(record) !== undefined;
  const members = [record, ...others];
  const { incident, notifications } = stepIncident(
    formerIncident,
    isCluster
      ? clusterCauses(members, now, { outage, former: formerIncident })
      : causesOf(record, now, outage),
    now,
    {
      newId,
      ...{ server: watchedOf(record), isCluster: isCluster || undefined },
      quietUntil: quietUntil(members),
      repeatsBy,
      ...overOf(record, now, outage),
      opening: () => openingOf(members, former, now),
    },
  );
  return { record, incident, notifications };
}

/** Until when nobody hears of them: the end of the first maintenance, where all are in one. */
function quietUntil(members: readonly ServerRecord[]): number | undefined {
  const ends = members
    .filter(({ retiredAt }) => retiredAt === undefined)
    .map(({ maintenanceUntil }) => maintenanceUntil);
  return ends.length > 0 && ends.every((end) => end !== undefined) ? Math.min(...ends) : undefined;
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
function openingOf(members: readonly ServerRecord[], former: ServerRecord, now: number): Opening {
  const [record = former, ...others] = members;
  const its = [record, former].flatMap(({ report }) => report?.metrics.participants ?? []);
  const counts = [
    ...(its.length > 0 ? [Math.max(...its)] : []),
    ...others.flatMap(({ report }) => report?.metrics.participants ?? []),
  ];
  const changesBefore = members
    .flatMap(({ changes }) => changes)
    .filter(({ at, code }) => at >= now - hourMs && !(at === now && code === "finding"))
    .sort((one, other) => other.at - one.at)
    .slice(0, maxChangesBefore);
  return {
    ...(counts.length > 0 ? { participants: counts.reduce((sum, each) => sum + each) } : {}),
    ...(changesBefore.length > 0 ? { changesBefore } : {}),
  };
}

/** The silence is noted when it begins. */
function withSilence(record: ServerRecord, now: number, outage: Outage | undefined): ServerRecord {
  return fallsSilent(record, now, outage) ? { ...record, silence: { foundAt: now } } : record;
}
