import { type Cause, type Incident, type IncidentEvent, isPaging, type Wrong } from "./incident";

const minute = 60_000;

/** For so long nothing may be wrong before an incident closes. */
export const closesAfterMs = 5 * minute;
/** What is wrong again within this time after the end belongs to the same incident. */
export const reopensWithinMs = 30 * minute;
const mostCauses = 80;

export type StepOptions = {
  /** The id of an incident that opens. */
  newId: () => string;
  server: string;
  /** Until when nothing is said of the server. */
  quietUntil?: number | undefined;
  /** Whether what is no longer wrong ends at once, without five good minutes: it was never so, or nobody waits for it. */
  isOver?: boolean;
};

/**
 * What a moment does to a server's incident. `former` is its newest one, open or closed. The same object comes back where
 * nothing changes; `told` is what people are told now.
 */
export function stepIncident(
  former: Incident | undefined,
  wrong: readonly Wrong[],
  now: number,
  options: StepOptions,
): { incident: Incident | undefined; told: Told[] } {
  const isOpen = former !== undefined && former.closedAt === undefined;
  if (!isOpen && wrong.length === 0) {
    return former ? say(former, undefined, now, options.quietUntil) : none;
  }
  const going = isOpen || mayReopen(former, now) ? former : undefined;
  const incident = going
    ? wentOn(going, wrong, now, options.isOver ? 0 : closesAfterMs)
    : opened(wrong, now, options);
  const event = eventBetween(going, incident, now);
  return say(incident, event, now, options.quietUntil);
}

const none = { incident: undefined, told: [] };

/** Also later, while its end is still to be said. */
function mayReopen(former: Incident | undefined, now: number): boolean {
  if (former?.closedAt === undefined) return false;
  return now - former.closedAt <= reopensWithinMs || former.untold > 0;
}

function opened(
  wrong: readonly Wrong[],
  now: number,
  { newId, server }: Pick<StepOptions, "newId" | "server">,
): Incident {
  const causes = merged([], wrong, now);
  const pages = causes.some(({ severity }) => severity === "pages");
  return {
    ...{ id: newId(), server, openedAt: now, severity: pages ? "pages" : "tells", causes },
    ...(pages ? { pagesSince: now } : { calmSince: now }),
    ...{ told: 0, untold: 0 },
  };
}

/** What goes on, which may close it or, where it was closed, open it again. */
function wentOn(
  former: Incident,
  wrong: readonly Wrong[],
  now: number,
  endsAfterMs: number,
): Incident {
  if (isAsBefore(former, wrong, now, endsAfterMs)) return former;
  const { goodSince: good, calmSince: calm, closedAt, acknowledged, ...rest } = former;
  const causes = merged(former.causes, wrong, now);
  const lasting = causes.filter(({ endedAt }) => endedAt === undefined);
  const pages = lasting.some(({ severity }) => severity === "pages");
  const goodSince = lasting.length > 0 ? undefined : (good ?? now);
  const calmSince = pages ? undefined : (calm ?? now);
  const isClosed = goodSince !== undefined && now - goodSince >= endsAfterMs;
  const isCalm = calmSince !== undefined && now - calmSince >= endsAfterMs && !isClosed;
  const wasClosed = closedAt !== undefined;
  const formerSeverity = wasClosed ? "tells" : former.severity;
  const pagesAnew = pages && !wasClosed && former.severity === "tells" && isLongCalm(former, now);
  return {
    ...rest,
    // People were told that the last time is over. This one is told like an incident of its own.
    ...(pagesAnew ? { pagesSince: now, told: 0 } : {}),
    causes,
    severity: pages ? "pages" : isCalm ? "tells" : formerSeverity,
    ...(goodSince === undefined ? {} : { goodSince }),
    ...(calmSince === undefined ? {} : { calmSince }),
    ...(isClosed ? { closedAt: now } : {}),
    ...(acknowledged && !wasClosed && !isClosed && !isCalm ? { acknowledged } : {}),
  };
}

/** Whether it has paged never, or not for so long that a closed incident would not open again. */
function isLongCalm({ pagesSince, told, calmSince = 0 }: Incident, now: number): boolean {
  if (pagesSince === undefined && told === 0) return true;
  return now - calmSince > closesAfterMs + reopensWithinMs;
}

/** Most of the time nothing has changed, and nothing is written then. */
function isAsBefore(
  former: Incident,
  wrong: readonly Wrong[],
  now: number,
  endsAfterMs: number,
): boolean {
  const lasting = former.causes.filter(({ endedAt }) => endedAt === undefined);
  if (former.closedAt !== undefined || lasting.length !== wrong.length) return false;
  const isOver = (since: number | undefined) => since !== undefined && now - since >= endsAfterMs;
  const isNamed = wrong.every((each) =>
    lasting.some((cause) => isSame(cause, each) && hasSame(cause, each)),
  );
  const mustFall = former.severity === "pages" && isOver(former.calmSince);
  if (lasting.length === 0 && former.goodSince === undefined) return false;
  return isNamed && !isOver(former.goodSince) && !mustFall;
}

/** Causes that last keep the time since which they do, and what was found then; one that came back has a new one. */
function merged(former: readonly Cause[], wrong: readonly Wrong[], now: number): Cause[] {
  const lasting = new Map<string, Cause>();
  for (const each of wrong) {
    const known = former.find((cause) => isSame(cause, each) && cause.endedAt === undefined);
    const listed = lasting.get(keyOf(each));
    if (listed?.severity === "pages") continue;
    lasting.set(keyOf(each), known ? goingOn(known, each) : each);
  }
  const ended = former
    .filter((cause) => !lasting.has(keyOf(cause)))
    .map((cause) => (cause.endedAt === undefined ? { ...cause, endedAt: now } : cause));
  return [...lasting.values(), ...ended]
    .sort((one, other) => rank(one) - rank(other) || one.since - other.since)
    .slice(0, mostCauses);
}

function goingOn({ wanted: _, ...known }: Cause, { severity, wanted }: Wrong): Cause {
  return { ...known, severity, ...(wanted === undefined ? {} : { wanted }) };
}

const keyOf = ({ code, subject }: Wrong): string => `${code} ${subject}`;

const isSame = (one: Wrong, other: Wrong): boolean =>
  one.code === other.code && one.subject === other.subject;

const hasSame = (one: Wrong, other: Wrong): boolean =>
  one.severity === other.severity && one.wanted === other.wanted;

const rank = ({ severity, endedAt }: Cause): number =>
  (endedAt === undefined ? 0 : 2) + (severity === "pages" ? 0 : 1);

function eventBetween(
  former: Incident | undefined,
  incident: Incident,
  now: number,
): IncidentEvent | undefined {
  const paged = former !== undefined && isPaging(former);
  if (!isPaging(incident)) return paged ? "closed" : undefined;
  if (!paged) return incident.told > 0 ? "reopened" : "opened";
  // One that comes and goes is the same; one that was over is not, though another has lasted since.
  const isKnown = ({ endedAt }: Cause) => endedAt === undefined || now - endedAt < closesAfterMs;
  const isNew = (cause: Cause) =>
    !former.causes.some((each) => isSame(each, cause) && isKnown(each));
  const more = incident.causes.some(
    (cause) => cause.severity === "pages" && cause.endedAt === undefined && isNew(cause),
  );
  return more ? "worse" : undefined;
}

const mostAtOnce = 4;
const sumEveryMs = 60 * 60_000;

/** What people are told of an incident; `changes`: how many events a sum stands for. */
export type Told = { event: IncidentEvent } | { event: "sum"; changes: number };

/**
 * Decides what is said after an event, or without one when time has passed: at most four messages at once, then a sum
 * an hour. While nothing may be said, events are counted, and the sum of them is said afterwards. What began and ended
 * unsaid is never said.
 */
function say(
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
