import { lastingPause } from "./pauses";
import type { ServerRecord } from "./server-record";

export const silentAfterMs = 3 * 60_000;
/** Whoever said that it goes away has longer to come back. */
const silentAfterGoingMs = 15 * 60_000;
/** An incident that silence opened is held for so long: docs/decisions/0055. */
export const heldMs = 2 * 60_000;

/** A time in which reports did not reach us through our own fault. Without an end it lasts. */
export type Outage = { since: number; endedAt?: number };

/** When the server falls, or fell, silent, unless it reports before; undefined before its first report. */
export function silentAt(record: ServerRecord, outage?: Outage): number | undefined {
  const at = silentUnjudged(record);
  if (at === undefined || !outage?.endedAt || !isHiddenBy(at, outage)) return at;
  return Math.max(at, outage.endedAt + silentAfter(record));
}

/** Whether the server falls silent now: its silence is not noted yet, and reports of it are waited for no longer. */
export function fallsSilent(record: ServerRecord, now: number, outage?: Outage): boolean {
  const at = silentAt(record, outage);
  return !record.silence && record.retiredAt === undefined && at !== undefined && now >= at;
}

/** Whether the server's silence is our fault: it lasts since about when our outage began, which has not ended. */
export function isOurFault(record: ServerRecord, now: number, outage?: Outage): boolean {
  const at = silentUnjudged(record);
  if (at === undefined || !outage || outage.endedAt !== undefined) return false;
  return now >= at && isHiddenBy(at, outage);
}

/** Whether its silence means nothing now: it is our fault, or was until so shortly ago that the count began anew. */
export function isExcused(record: ServerRecord, now: number, outage?: Outage): boolean {
  const at = silentUnjudged(record);
  if (at === undefined || now < at) return false;
  return isOurFault(record, now, outage) || now < (silentAt(record, outage) ?? at);
}

/** Two boots that take turns are both signs of life. Nobody waits for reports of a server that is paused. */
function silentUnjudged(record: ServerRecord): number | undefined {
  const { reportAt, twiceAt = 0, paused } = record;
  if (reportAt === undefined || lastingPause(record)) return;
  return Math.max(Math.max(reportAt, twiceAt) + silentAfter(record), paused?.until ?? 0);
}

const silentAfter = ({ report }: ServerRecord): number =>
  report?.going ? silentAfterGoingMs : silentAfterMs;

/** What fell silent while incidents are held before an outage belongs to it; what reported after its end does not. */
function isHiddenBy(at: number, { since, endedAt = Number.POSITIVE_INFINITY }: Outage): boolean {
  return at >= since - heldMs && at - silentAfterMs <= endedAt;
}
