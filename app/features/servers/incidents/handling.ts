import { causeKey, type Incident, type IncidentSummary } from "./incident";

// What people do with an incident. One that is closed stays as it is.

/** Somebody sees to it, so that the second channels are not told. */
export function acknowledged(incident: Incident, by: string, now: number): Incident {
  if (incident.closedAt !== undefined || incident.acknowledged) return incident;
  return { ...incident, acknowledged: { by, at: now } };
}

/** Nothing is said of it until then, but that it is over. A time that has passed ends the snooze. */
export function snoozed(incident: Incident, until: number): Incident {
  return incident.closedAt === undefined ? { ...incident, snoozedUntil: until } : incident;
}

/** Everything that lasts was in a digest. */
export function digested(incident: Incident): Incident {
  const lasting = incident.causes.filter(({ endedAt }) => endedAt === undefined);
  return { ...incident, digested: lasting.map(causeKey) };
}

/** What a list and a page of servers show of the open incident. */
export function summaryOf({
  id,
  openedAt,
  severity,
  causes,
  acknowledged,
  snoozedUntil,
}: Incident): IncidentSummary {
  return { id, openedAt, severity, causes, acknowledged, snoozedUntil };
}
