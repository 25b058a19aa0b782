import type { Outage } from "./silence";

const minute = 60_000;
/** Silences count together within this time. */
export const windowMs = 5 * minute;
/** Of all servers. */
const mostShare = 0.05;
/**
 * Fewer servers, or those of fewer workspaces, are somebody's own outage, however few there are in all. So are fewer beside
 * the workspace of which most fell, unless more than half of all others did.
 */
const fewestServers = 10;
const fewestWorkspaces = 3;
/**
 * Where half of all servers report, it lasts no longer than this: then it is another's outage, such as a provider's. Nor
 * does it for a fleet that cannot reach the judge.
 */
export const longestOutageMs = 30 * minute;

/** How many servers of a fleet fell silent at a time, and how many it has in all. */
export type Fall = { fleet: string; at: number; count: number; servers: number };

/** `before`: how many were silent when it began; `fell`: how many have fallen silent since. */
export type JudgedOutage = Outage & { before: number; fell: number };

/** What all fleets have told; `falls` of the last five minutes at least. */
export type Silences = { servers: number; silent: number; falls: readonly Fall[] };

/**
 * Whether so many servers fell silent at once that it is our fault, also without the fleet of which most did, and whether
 * that is over: when half of those that fell have returned. The same object comes back where nothing changed.
 */
export function judgeOutage(
  former: JudgedOutage | undefined,
  { servers, silent, falls }: Silences,
  now: number,
): JudgedOutage | undefined {
  if (former && former.endedAt === undefined) {
    const missing = silent - former.before;
    const fell = Math.max(former.fell, missing);
    const isTooLong = now - former.since >= longestOutageMs && silent * 2 < servers;
    if (missing * 2 <= fell || isTooLong) return { ...former, fell, endedAt: now };
    return fell === former.fell ? former : { ...former, fell };
  }
  const from = Math.max(now - windowMs, former?.endedAt ?? 0);
  const counted = falls.filter(({ at }) => at > from && at <= now);
  const fell = counted.reduce((sum, { count }) => sum + count, 0);
  if (fell < fewestServers || fell <= servers * mostShare) return former;
  const ofFleets = [...Map.groupBy(counted, ({ fleet }) => fleet).values()].map((same) => ({
    fell: same.reduce((sum, { count }) => sum + count, 0),
    servers: same[0]?.servers ?? 0,
  }));
  const [most] = ofFleets.toSorted((one, other) => other.fell - one.fell);
  if (!most || ofFleets.length < fewestWorkspaces) return former;
  const rest = { fell: fell - most.fell, servers: servers - most.servers };
  if (rest.fell <= rest.servers * mostShare) return former;
  if (rest.fell < fewestServers && rest.fell * 2 <= rest.servers) return former;
  const since = Math.min(...counted.map(({ at }) => at));
  return { since, before: Math.max(0, silent - fell), fell };
}
