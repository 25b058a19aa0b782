import { type Incident, isPaging } from "~/features/servers/incidents/incident";
import { closesAfterMs, notificationDue } from "~/features/servers/incidents/step";
import type { ServerRecord } from "~/features/servers/state/server-record";
import { isHiddenByOutage, type Outage, silentAt } from "~/features/servers/state/state";
import { countsForMs, judgedWithinMs } from "../state/ingest-outage.server";
import { probeDue } from "../state/probe.server";
import { checkEveryMs } from "../storage/alarms.server";

/** A server reports each minute; after so long it is waited for. */
const expectedWithinMs = 75_000;
/** How often is asked whether our own fault begins or ends. */
const askEveryMs = 60_000;

/** So soon after a server returned the judge of our own outages is told. */
const returnToldMs = 20_000;

/** When a fleet must look at its servers next; infinite where none may change by itself. */
export function checkDue(
  records: readonly ServerRecord[],
  incidents: ReadonlyMap<string, Incident>,
  outage: Outage | undefined,
  now: number,
): number {
  const lasts = outage !== undefined && outage.endedAt === undefined;
  return Math.min(
    lasts ? now + askEveryMs : Number.POSITIVE_INFINITY,
    ...records.map((record) => serverDue(record, outage, now)),
    ...records.map((record) => incidentDue(incidents.get(record.id), record, now)),
  );
}

/** While a server reports, fleets look every three minutes, and when one is late, at the moment it falls silent. */
function serverDue(record: ServerRecord, outage: Outage | undefined, now: number): number {
  const { retiredAt, reportAt, silence } = record;
  const at = silentAt(record, outage);
  if (retiredAt !== undefined || reportAt === undefined || at === undefined) {
    return Number.POSITIVE_INFINITY;
  }
  if (at > now) {
    const isLate = silence !== undefined || now - reportAt > expectedWithinMs;
    return isLate ? at : now + checkEveryMs;
  }
  if (!silence) return now;
  const asks = now - silence.foundAt < judgedWithinMs ? now + askEveryMs : Number.POSITIVE_INFINITY;
  if (isHiddenByOutage(record, now, outage)) return asks;
  // Then the judge of our own outages is told that it counts no more.
  const ends = silence.foundAt + countsForMs;
  return Math.min(asks, probeDue(record, now), ends > now ? ends : Number.POSITIVE_INFINITY);
}

/**
 * When a fleet must look next for a report alone, so that most of them set no alarm; `former`: the server's record
 * before it.
 */
export function reportDue(
  former: ServerRecord,
  incident: Incident | undefined,
  now: number,
): number {
  const next = now + (former.silence ? returnToldMs : checkEveryMs);
  return Math.min(next, incidentDue(incident, former, now));
}

/** When an incident's server has been well for long enough, or something is to be said. */
function incidentDue(
  incident: Incident | undefined,
  { maintenanceUntil }: ServerRecord,
  now: number,
): number {
  if (!incident) return Number.POSITIVE_INFINITY;
  const { closedAt, goodSince, calmSince } = incident;
  const ends = closedAt === undefined ? goodSince : undefined;
  const calms = isPaging(incident) ? calmSince : undefined;
  const times = [
    ends === undefined ? undefined : ends + closesAfterMs,
    calms === undefined ? undefined : calms + closesAfterMs,
    notificationDue(incident, now, maintenanceUntil),
  ];
  return Math.min(...times.map((time) => time ?? Number.POSITIVE_INFINITY));
}
