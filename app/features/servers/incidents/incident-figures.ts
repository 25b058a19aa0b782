import type { ServerRecord } from "../state/server-record";
import { boundsOf, downMs, monthOf, sumByMonth } from "./down-time";
import type { Incident } from "./incident";

const dayMs = 86_400_000;
/** Incidents are known for so long after their end. */
const knownForMs = 90 * dayMs;

/** Whether it has paged at any time. */
export const hasPaged = ({ causes, pagesSince }: Incident): boolean =>
  pagesSince !== undefined || causes.some(({ severity }) => severity === "page");

/** When what is wrong began: a silence begins with the last report, some minutes before its incident. */
export const beganAt = ({ openedAt, causes }: Incident): number =>
  Math.min(openedAt, ...causes.map(({ since }) => since));

/** When nothing was wrong any more; it closes some minutes later. Undefined while it is open. */
export function endedAt({ closedAt, closedAs, goodSince }: Incident): number | undefined {
  if (closedAt === undefined || closedAs) return closedAt;
  return goodSince ?? closedAt;
}

/** Who acknowledged it last, also where that has ended. */
export const acknowledgementOf = (incident: Incident): Incident["acknowledged"] =>
  incident.acknowledged ?? incident.formerAcknowledgement;

/** How long it paged until somebody acknowledged it; undefined where nobody has. */
export function acknowledgedAfterMs(incident: Incident): number | undefined {
  const at = acknowledgementOf(incident)?.at;
  if (at === undefined) return;
  const { pagesSince = incident.openedAt, openedAt } = incident;
  return at - (pagesSince <= at ? pagesSince : openedAt);
}

/** A mean over so many incidents; without one it is undefined. */
export type MeanTime = { meanMs: number; count: number } | undefined;

function meanOf(times: readonly number[]): MeanTime {
  if (times.length === 0) return;
  const sum = times.reduce((one, other) => one + other, 0);
  return { meanMs: Math.round(sum / times.length), count: times.length };
}

/**
 * The mean time to acknowledge, and to mend, of incidents that paged. Those that ended because nobody watches the server
 * any more, or that were our own fault, were not mended.
 */
export function meanTimes(incidents: readonly Incident[]) {
  const paged = incidents.filter(hasPaged);
  const mended = paged.flatMap((incident) => {
    const ended = endedAt(incident);
    return ended === undefined || incident.closedAs ? [] : [ended - beganAt(incident)];
  });
  return {
    paged: paged.length,
    acknowledged: meanOf(paged.flatMap((incident) => acknowledgedAfterMs(incident) ?? [])),
    mended: meanOf(mended),
  };
}

/** The months of UTC that uptime is said of, the oldest first: this one and the two before. */
export function uptimeMonths(now: number): string[] {
  const date = new Date(now);
  return [2, 1, 0].map((back) =>
    monthOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back)),
  );
}

/** The uptime of a server in each month, from 0 to 1; null for a month in which nobody watched it. */
export type Uptime = {
  id: string;
  name: string;
  deployment?: string | undefined;
  months: (number | null)[];
};

type Watched = Pick<
  ServerRecord,
  "id" | "name" | "deployment" | "enrolledAt" | "retiredAt" | "suspension" | "reportAt"
>;

/**
 * The share of each month in which a server was not down, by its incidents. It counts from when the server was connected
 * until it was disconnected or paused, and not beyond what is known: `from` is when the oldest incident was opened of those
 * that could be read, where there are more.
 */
export function uptimeOf(
  servers: readonly Watched[],
  incidents: readonly Incident[],
  now: number,
  from = 0,
): Uptime[] {
  const known = Math.max(from, now - knownForMs);
  const byServer = Map.groupBy(incidents, ({ server }) => server);
  const months = uptimeMonths(now);
  return servers.map(({ id, name, deployment, enrolledAt, retiredAt, suspension, reportAt }) => {
    const ofCluster = (byServer.get(deployment ?? "") ?? []).filter(({ isCluster }) => isCluster);
    const its = [...(byServer.get(id) ?? []), ...ofCluster];
    const down = sumByMonth(its.map((each) => downMs(each, now, id)));
    const until = Math.min(now, retiredAt ?? now, suspension?.since ?? now);
    const share = (month: string) => {
      const [begin, end] = boundsOf(month);
      const watched = Math.min(end, until) - Math.max(begin, enrolledAt, known);
      if (watched <= 0 || reportAt === undefined) return null;
      return 1 - Math.min(1, (down[month] ?? 0) / watched);
    };
    return { id, name, deployment, months: months.map(share) };
  });
}

/** "99.95 %". It is never rounded up: who was down for a second was not up for all of it. */
export function uptimeWords(share: number): string {
  return `${(Math.floor(share * 10_000 + 1e-6) / 100).toFixed(2)} %`;
}

/** "2 h 5 min". */
export function durationWords(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return "less than a minute";
  const [days, hours, rest] = [
    Math.floor(minutes / 1_440),
    Math.floor(minutes / 60) % 24,
    minutes % 60,
  ];
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`;
  if (hours > 0) return rest > 0 ? `${hours} h ${rest} min` : `${hours} h`;
  return `${rest} min`;
}
