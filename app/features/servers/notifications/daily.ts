import { causeKey, type Incident, isPaging } from "../incidents/incident";
import type { Channel } from "./channel";

const dayMs = 86_400_000;
/** The digest of the day is made at this hour of UTC: before most people's work begins. */
const digestHour = 7;
const testEveryMs = 30 * dayMs;

/**
 * When the next digest is made; undefined while every cause was in one. Nothing was to be in one before `from`: the last
 * digest, or the first channel that gets any.
 */
export function digestDue(incidents: Iterable<Incident>, from: number): number | undefined {
  const since = [...incidents].filter(isTelling).flatMap((incident) => {
    const { causes, calmSince = 0, digested = [] } = incident;
    return causes
      .filter((cause) => cause.endedAt === undefined && !digested.includes(causeKey(cause)))
      .map((cause) => Math.max(cause.since, calmSince));
  });
  if (since.length === 0) return;
  const shift = digestHour * 3_600_000;
  const begins = Math.max(from, Math.min(...since)) - shift;
  return (Math.floor(begins / dayMs) + 1) * dayMs + shift;
}

/** What waits for the digest: it lasts, and wakes nobody. */
const isTelling = (incident: Incident): boolean =>
  incident.closedAt === undefined && !isPaging(incident);

/** Digests go to those who read: whoever is called first, but no pager. */
export const getsDigest = ({ kind, turn }: Channel): boolean =>
  turn === "first" && kind !== "pagerduty";

/** When a channel is tested next, so that nobody learns in an emergency that it does not work. */
export const testDue = ({ testedAt, madeAt }: Channel): number =>
  (testedAt ?? madeAt) + testEveryMs;
