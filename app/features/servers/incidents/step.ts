import { formerDownTimes } from "./down-time";
import {
  type Cause,
  type Incident,
  type IncidentEvent,
  isPaging,
  isSameCause,
  type Opening,
  type Wrong,
} from "./incident";

const minute = 60_000;

/** For so long nothing may be wrong before an incident closes. */
export const closesAfterMs = 5 * minute;
/** What is wrong again within this time after the end belongs to the same incident. */
export const reopensWithinMs = 30 * minute;
const maxCauses = 80;
/** An incident that nobody acknowledges is repeated so often, at most so many times, then with each rollup's interval. */
export const repeatsEveryMs = 15 * minute;
export const maxRepeats = 8;

export type StepOptions = {
  /** The id of an incident that opens. */
  newId: () => string;
  /** Whom the incident is about: `watchedOf`. */
  server: string;
  isCluster?: true | undefined;
  /** Until when the server is in maintenance: nothing is sent of it. */
  quietUntil?: number | undefined;
  /** Why what is no longer wrong ends at once, without five good minutes: it was never so, or nobody waits for it. */
  over?: Incident["closedAs"];
  /** What is noted where it begins to page, or else to be there. */
  opening?: () => Opening;
  /** What is due by then is repeated now, with the incidents of other servers: one mail says them all. */
  repeatsBy?: number | undefined;
};

/**
 * What a moment does to a server's incident. `former` is its newest one, open or closed. The same object comes back where
 * nothing changes; `notifications` are those to send now.
 */
export function stepIncident(
  former: Incident | undefined,
  wrong: readonly Wrong[],
  now: number,
  options: StepOptions,
): Stepped {
  const { incident, notifications } = stepEvent(former, wrong, now, options);
  if (!incident || notifications.length > 0) return { incident, notifications };
  const due = repeatDue(incident);
  const isMuted = isUntil(options.quietUntil, now) || isUntil(incident.snoozedUntil, now);
  if (due === undefined || due > (options.repeatsBy ?? now) || isMuted)
    return { incident, notifications };
  const repeats = { count: (incident.repeats?.count ?? 0) + 1, at: now };
  return { incident: { ...incident, repeats }, notifications: [{ event: "repeated" }] };
}

type Stepped = { incident: Incident | undefined; notifications: Notification[] };

/** When an incident that was sent is repeated; undefined where nobody needs to hear of it again. */
export function repeatDue(incident: Incident): number | undefined {
  const { acknowledged, calmSince, pageSent, notifiedAt = 0, repeats } = incident;
  if (!isPaging(incident) || acknowledged || calmSince !== undefined || !pageSent) return;
  const every = (repeats?.count ?? 0) < maxRepeats ? repeatsEveryMs : rollupEveryMs;
  return Math.max(notifiedAt, repeats?.at ?? 0) + every;
}

/** What happened to the incident, and what is sent of that. */
function stepEvent(
  former: Incident | undefined,
  wrong: readonly Wrong[],
  now: number,
  options: StepOptions,
): Stepped {
  const isOpen = former !== undefined && former.closedAt === undefined;
  if (!isOpen && wrong.length === 0) {
    return former ? notifications(former, undefined, now, options.quietUntil) : none;
  }
  const ongoing = isOpen || mayReopen(former, now) ? former : undefined;
  const incident = ongoing ? continued(ongoing, wrong, now, options) : opened(wrong, now, options);
  const event = eventBetween(ongoing, incident, now);
  return notifications(incident, event, now, options.quietUntil);
}

const none = { incident: undefined, notifications: [] };

/** Also later, while the notification of its end is pending. */
function mayReopen(former: Incident | undefined, now: number): boolean {
  if (former?.closedAt === undefined) return false;
  return now - former.closedAt <= reopensWithinMs || former.pendingCount > 0;
}

function opened(
  wrong: readonly Wrong[],
  now: number,
  { newId, server, isCluster, opening }: StepOptions,
): Incident {
  const causes = merged([], wrong, now);
  const pages = causes.some(({ severity }) => severity === "page");
  return {
    ...{ id: newId(), server, openedAt: now, severity: pages ? "page" : "notify", causes },
    ...(isCluster ? { isCluster } : {}),
    ...(pages ? { pagesSince: now } : { calmSince: now }),
    ...{ notifiedCount: 0, pendingCount: 0, ...opening?.() },
  };
}

/** What goes on, which may close it or, where it was closed, open it again. */
function continued(
  former: Incident,
  wrong: readonly Wrong[],
  now: number,
  { over, opening }: Pick<StepOptions, "over" | "opening">,
): Incident {
  const endsAfterMs = over ? 0 : closesAfterMs;
  if (isUnchanged(former, wrong, now, endsAfterMs)) return former;
  const { goodSince: good, calmSince: calm, closedAt, acknowledged, repeats, ...others } = former;
  const { closedAs: _, ...rest } = others;
  const causes = merged(former.causes, wrong, now);
  const lasting = causes.filter(({ endedAt }) => endedAt === undefined);
  const pages = lasting.some(({ severity }) => severity === "page");
  const goodSince = lasting.length > 0 ? undefined : (good ?? now);
  const calmSince = pages ? undefined : (calm ?? now);
  const isClosed = goodSince !== undefined && now - goodSince >= endsAfterMs;
  const isCalm = calmSince !== undefined && now - calmSince >= endsAfterMs && !isClosed;
  const wasClosed = closedAt !== undefined;
  const formerSeverity = wasClosed ? "notify" : former.severity;
  const isAnswered = !wasClosed && !isClosed && !isCalm;
  const pagesAnew = pages && !wasClosed && former.severity === "notify" && isLongCalm(former, now);
  return {
    ...rest,
    // The end of the last time was sent. This one is sent like an incident of its own.
    ...(pagesAnew ? { pagesSince: now, notifiedCount: 0, ...opening?.() } : {}),
    ...{ causes, ...formerDownTimes(former, causes) },
    severity: pages ? "page" : isCalm ? "notify" : formerSeverity,
    ...(goodSince === undefined ? {} : { goodSince }),
    ...(calmSince === undefined ? {} : { calmSince }),
    ...(isClosed ? { closedAt: now, ...(over ? { closedAs: over } : {}) } : {}),
    ...(acknowledged && (isAnswered ? { acknowledged } : { formerAcknowledgement: acknowledged })),
    ...(repeats && !pagesAnew ? { repeats } : {}),
  };
}

/** Whether it has paged never, or not for so long that a closed incident would not open again. */
function isLongCalm({ pagesSince, notifiedCount, calmSince = 0 }: Incident, now: number): boolean {
  if (pagesSince === undefined && notifiedCount === 0) return true;
  return now - calmSince > closesAfterMs + reopensWithinMs;
}

/** Most of the time nothing has changed, and nothing is written then. */
function isUnchanged(
  former: Incident,
  wrong: readonly Wrong[],
  now: number,
  endsAfterMs: number,
): boolean {
  const lasting = former.causes.filter(({ endedAt }) => endedAt === undefined);
  if (former.closedAt !== undefined || lasting.length !== wrong.length) return false;
  const isOver = (since: number | undefined) => since !== undefined && now - since >= endsAfterMs;
  const isNamed = wrong.every((each) =>
    lasting.some((cause) => isSameCause(cause, each) && hasSame(cause, each)),
  );
  const mustFall = former.severity === "page" && isOver(former.calmSince);
  if (lasting.length === 0 && former.goodSince === undefined) return false;
  return isNamed && !isOver(former.goodSince) && !mustFall;
}

/** Causes that last keep the time since which they do, and what was found then; one that came back has a new one. */
function merged(former: readonly Cause[], wrong: readonly Wrong[], now: number): Cause[] {
  const lasting = new Map<string, Cause>();
  for (const each of wrong) {
    const lastingCause = former.find(
      (cause) => isSameCause(cause, each) && cause.endedAt === undefined,
    );
    const listed = lasting.get(keyOf(each));
    if (listed?.severity === "page") continue;
    lasting.set(keyOf(each), lastingCause ? continuedCause(lastingCause, each) : each);
  }
  const ended = former
    .filter((cause) => !lasting.has(keyOf(cause)))
    .map((cause) => (cause.endedAt === undefined ? { ...cause, endedAt: now } : cause));
  return [...lasting.values(), ...ended]
    .sort((one, other) => rank(one) - rank(other) || one.since - other.since)
    .slice(0, maxCauses);
}

function continuedCause({ wanted: _, ...lastingCause }: Cause, { severity, wanted }: Wrong): Cause {
  return { ...lastingCause, severity, ...(wanted === undefined ? {} : { wanted }) };
}

const keyOf = ({ code, subject, machine }: Wrong): string =>
  `${machine?.id ?? ""} ${code} ${subject}`;

const hasSame = (one: Wrong, other: Wrong): boolean =>
  one.severity === other.severity && one.wanted === other.wanted;

const rank = ({ severity, endedAt }: Cause): number =>
  (endedAt === undefined ? 0 : 2) + (severity === "page" ? 0 : 1);

function eventBetween(
  former: Incident | undefined,
  incident: Incident,
  now: number,
): IncidentEvent | undefined {
  const paged = former !== undefined && isPaging(former);
  if (!isPaging(incident)) return paged ? "closed" : undefined;
  if (!paged) return incident.notifiedCount > 0 ? "reopened" : "opened";
  // One that comes and goes is the same; one that was over is not, though another has lasted since.
  const isKnown = ({ endedAt }: Cause) => endedAt === undefined || now - endedAt < closesAfterMs;
  const isNew = (cause: Cause) =>
    !former.causes.some((each) => isSameCause(each, cause) && isKnown(each));
  const more = incident.causes.some(
    (cause) => cause.severity === "page" && cause.endedAt === undefined && isNew(cause),
  );
  return more ? "worse" : undefined;
}

const maxAtOnce = 4;
const rollupEveryMs = 60 * 60_000;

/**
 * What is sent of an incident. `changes`: how many events a rollup stands for. `repeated`: nobody has acknowledged it.
 * `acknowledged`: somebody did, which is sent to those who would call on.
 */
export type Notification =
  | { event: IncidentEvent | "repeated" | "acknowledged" }
  | { event: "rollup"; changes: number };

/**
 * Which notifications follow an event, or follow when time has passed: at most four at once, then a rollup an hour. While
 * an incident is muted (snoozed, or its server in maintenance) events are counted, and a rollup follows afterwards. An
 * incident that opens and closes while muted is never sent.
 */
function notifications(
  before: Incident,
  event: IncidentEvent | undefined,
  now: number,
  maintenanceUntil: number | undefined,
): { incident: Incident; notifications: Notification[] } {
  const current = withoutEndedSnooze(before, now);
  const pendingCount = current.pendingCount + (event ? 1 : 0);
  const incident = pendingCount === current.pendingCount ? current : { ...current, pendingCount };
  const none = { incident, notifications: [] };
  if (pendingCount === 0) return none;
  const pages = isPaging(incident);
  if (incident.notifiedCount === 0 && !pages)
    return { incident: { ...incident, pendingCount: 0 }, notifications: [] };
  const isGoodNews = event === "closed" && incident.pageSent === true;
  if (isUntil(maintenanceUntil, now)) return none;
  if (isUntil(incident.snoozedUntil, now) && !isGoodNews) return none;
  const isAtOnce = incident.notifiedCount < maxAtOnce;
  if (!isAtOnce && now - (incident.notifiedAt ?? 0) < rollupEveryMs) return none;
  const first = incident.notifiedCount === 0 ? "opened" : event;
  const notification: Notification =
    isAtOnce && first && (pendingCount === 1 || incident.notifiedCount === 0 || isGoodNews)
      ? { event: first }
      : { event: "rollup", changes: pendingCount };
  return {
    incident: {
      ...incident,
      notifiedCount: isAtOnce ? incident.notifiedCount + 1 : incident.notifiedCount,
      ...{ pendingCount: 0, notifiedAt: now, pageSent: pages },
    },
    notifications: [notification],
  };
}

/** When a notification is due if nothing happens: a rollup, a repeat, the end of a snooze. Infinite where none is. */
export function notificationDue(
  incident: Incident,
  now: number,
  maintenanceUntil: number | undefined,
): number {
  const { pendingCount, notifiedCount, notifiedAt = 0, snoozedUntil = 0, closedAt } = incident;
  const mutedUntil = Math.max(snoozedUntil, maintenanceUntil ?? 0);
  const allowed = notifiedCount < maxAtOnce ? now : notifiedAt + rollupEveryMs;
  const repeats = repeatDue(incident);
  return Math.min(
    snoozedUntil > 0 && closedAt === undefined ? snoozedUntil : Number.POSITIVE_INFINITY,
    pendingCount > 0 ? Math.max(allowed, mutedUntil) : Number.POSITIVE_INFINITY,
    repeats === undefined ? Number.POSITIVE_INFINITY : Math.max(repeats, mutedUntil),
  );
}

const isUntil = (until: number | undefined, now: number): boolean =>
  until !== undefined && now < until;

/** The end of a snooze is an event of its own where the incident still pages, so that nobody forgets it. */
function withoutEndedSnooze(incident: Incident, now: number): Incident {
  const { snoozedUntil, ...rest } = incident;
  if (snoozedUntil === undefined || now < snoozedUntil) return incident;
  return isPaging(incident) && incident.notifiedCount > 0
    ? { ...rest, pendingCount: Math.max(1, rest.pendingCount) }
    : rest;
}
