import { type Incident, type IncidentEvent, isPaging } from "./incident";

const mostAtOnce = 4;
const sumEveryMs = 60 * 60_000;

/** What people are told of an incident; `changes`: how many events a sum stands for. */
export type Told = { event: IncidentEvent } | { event: "sum"; changes: number };

/**
 * Decides what is said after an event, or without one when time has passed: at most four messages at once, then a sum
 * an hour. While nothing may be said, events are counted, and the sum of them is said afterwards. What began and ended
 * unsaid is never said.
 */
export function say(
  given: Incident,
  event: IncidentEvent | undefined,
  now: number,
  maintenanceUntil: number | undefined,
): { incident: Incident; told: Told[] } {
  const present = withoutEndedSnooze(given, now);
  const untold = present.untold + (event ? 1 : 0);
  const incident = untold === present.untold ? present : { ...present, untold };
  const unsaid = { incident, told: [] };
  if (untold === 0) return unsaid;
  const pages = isPaging(incident);
  if (incident.told === 0 && !pages) return { incident: { ...incident, untold: 0 }, told: [] };
  const isGoodNews = event === "closed" && incident.toldPages === true;
  if (isUntil(maintenanceUntil, now)) return unsaid;
  if (isUntil(incident.snoozedUntil, now) && !isGoodNews) return unsaid;
  const isAtOnce = incident.told < mostAtOnce;
  if (!isAtOnce && now - (incident.toldAt ?? 0) < sumEveryMs) return unsaid;
  const first = incident.told === 0 ? "opened" : event;
  const told: Told =
    isAtOnce && first && (untold === 1 || incident.told === 0 || isGoodNews)
      ? { event: first }
      : { event: "sum", changes: untold };
  return {
    incident: {
      ...incident,
      told: isAtOnce ? incident.told + 1 : incident.told,
      ...{ untold: 0, toldAt: now, toldPages: pages },
    },
    told: [told],
  };
}

/** When its time comes next, if nothing happens: a sum, the end of a snooze. Undefined where nothing is due. */
export function sayingDue(
  { untold, told, toldAt = 0, snoozedUntil, closedAt }: Incident,
  now: number,
  maintenanceUntil: number | undefined,
): number | undefined {
  const snoozeEnds = closedAt === undefined ? snoozedUntil : undefined;
  if (untold === 0) return snoozeEnds;
  const allowed = told < mostAtOnce ? now : toldAt + sumEveryMs;
  return Math.max(allowed, snoozedUntil ?? 0, maintenanceUntil ?? 0);
}

const isUntil = (until: number | undefined, now: number): boolean =>
  until !== undefined && now < until;

/** The end of a snooze is an event of its own where the incident still pages, so that nobody forgets it. */
function withoutEndedSnooze(incident: Incident, now: number): Incident {
  const { snoozedUntil, ...rest } = incident;
  if (snoozedUntil === undefined || now < snoozedUntil) return incident;
  return isPaging(incident) && incident.told > 0
    ? { ...rest, untold: Math.max(1, rest.untold) }
    : rest;
}
