import { type Incident, isPaging } from "~/features/servers/incidents/incident";
import { closesAfterMs, notificationDue } from "~/features/servers/incidents/step";
import { type ServerRecord, watchedOf } from "~/features/servers/state/server-record";
import { isHiddenByOutage, type Outage, silentAt } from "~/features/servers/state/state";
import { countsForMs, judgedWithinMs } from "../state/ingest-outage.server";
import { probeDue } from "../state/probe.server";
import { checkEveryMs } from "../storage/alarms.server";

/** A server reports each minute; after so long it is waited for. */
const expectedWithinMs = 75_000;
/** How often a fleet reports to the judge of ingest outages while one lasts or may begin. */
const judgeEveryMs = 60_000;

/** So soon after a server returned the fleet reports that to the judge of ingest outages. */
const returnReportedMs = 20_000;

/** When a fleet must check its servers next; infinite where no state changes by time alone. */
export function checkDue(
  records: readonly ServerRecord[],
  incidents: ReadonlyMap<string, Incident>,
  outage: Outage | undefined,
  now: number,
): number {
  const lasts = outage !== undefined && outage.endedAt === undefined;
  return Math.min(
    lasts ? now + judgeEveryMs : Number.POSITIVE_INFINITY,
    ...records.map((record) => serverDue(record, outage, now)),
    ...records.map((record) => incidentDue(incidents.get(watchedOf(record)), record, now)),
  );
}

/** A server that reports is checked every three minutes; one whose report is late, at the moment it falls silent. */
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
  const judges =
    now - silence.foundAt < judgedWithinMs ? now + judgeEveryMs : Number.POSITIVE_INFINITY;
  // A probe may find that it is no outage of ours.
  if (isHiddenByOutage(record, now, outage)) return Math.min(judges, probeDue(record, now));
  // From then on it counts no more in an ingest outage, which the judge must learn.
  const ends = silence.foundAt + countsForMs;
  return Math.min(judges, probeDue(record, now), ends > now ? ends : Number.POSITIVE_INFINITY);
}

/**
 * When a fleet must check its servers next because of a report alone, so that most of them set no alarm; `former`: the server's record
 * before it.
 */
export function reportDue(
  former: ServerRecord,
  incident: Incident | undefined,
  now: number,
): number {
  const next = now + (former.silence ? returnReportedMs : checkEveryMs);
  return Math.min(next, incidentDue(incident, former, now));
}

/** When an incident's server has been well for long enough, or a notification is due. */
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
