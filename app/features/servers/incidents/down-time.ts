import type { Cause, Incident } from "./incident";

/** How long a server was down, in milliseconds, by the month of UTC as "2026-11". */
export type MsByMonth = Readonly<Record<string, number>>;

export const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7);

/** When a month of UTC begins, and the next one; `month` as "2026-11". */
export function boundsOf(month: string): [from: number, until: number] {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return [Date.UTC(year, number - 1), Date.UTC(year, number)];
}

/** A stretch of time, by the months in which it lies. */
export function msByMonth(from: number, until: number): MsByMonth {
  const parts: Record<string, number> = {};
  for (let at = from; at < until; ) {
    const month = monthOf(at);
    const end = Math.min(until, boundsOf(month)[1]);
    parts[month] = (parts[month] ?? 0) + end - at;
    at = end;
  }
  return parts;
}

export function sumByMonth(all: readonly MsByMonth[]): MsByMonth {
  const sum: Record<string, number> = {};
  for (const each of all) {
    for (const [month, ms] of Object.entries(each)) sum[month] = (sum[month] ?? 0) + ms;
  }
  return sum;
}

type Downs = Pick<Incident, "causes" | "formerDownMs">;

const isDown = ({ code }: Cause) => code === "down";

/**
 * A cause that comes back takes the place of what it was before: how long the server was down then is noted. The same
 * as before where nothing was replaced.
 */
export function formerDownMs(
  former: Downs,
  causes: readonly Cause[],
): Pick<Incident, "formerDownMs"> {
  const replaced = former.causes.filter(
    (cause) => isDown(cause) && !causes.some((each) => isDown(each) && each.since === cause.since),
  );
  const before = former.formerDownMs ? [former.formerDownMs] : [];
  const ended = replaced.map(({ since, endedAt = since }) => msByMonth(since, endedAt));
  return before.length + ended.length === 0
    ? {}
    : { formerDownMs: sumByMonth([...before, ...ended]) };
}

/** How long a server was down in an incident: none of it where that was an outage of ours. */
export function downMs({ causes, formerDownMs, closedAs }: Incident, now: number): MsByMonth {
  if (closedAs === "outage") return {};
  const lasting = causes
    .filter(isDown)
    .map(({ since, endedAt = now }) => msByMonth(since, endedAt));
  return sumByMonth([formerDownMs ?? {}, ...lasting]);
}
