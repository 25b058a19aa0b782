import { type Cause, type Incident, isSameCause } from "./incident";

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

type Downs = Pick<Incident, "causes" | "formerDownMs" | "formerDownOf">;

const isDown = ({ code }: Cause) => code === "down";

/**
 * A cause that comes back takes the place of what it was before: how long the server was down then is noted, in a cluster
 * of each machine. The same as before where nothing was replaced.
 */
export function formerDownTimes(
  former: Downs,
  causes: readonly Cause[],
): Pick<Incident, "formerDownMs" | "formerDownOf"> {
  const replaced = former.causes.filter(
    (cause) =>
      isDown(cause) &&
      !causes.some((each) => isSameCause(each, cause) && each.since === cause.since),
  );
  if (replaced.length === 0) {
    const { formerDownMs, formerDownOf } = former;
    return { ...(formerDownMs && { formerDownMs }), ...(formerDownOf && { formerDownOf }) };
  }
  const { formerDownMs: before, formerDownOf: beforeOf = {} } = former;
  const ofServer = replaced.filter(({ machine }) => !machine);
  const ofMachines = Map.groupBy(
    replaced.filter(({ machine }) => machine),
    ({ machine }) => machine?.id ?? "",
  );
  const times = (all: readonly Cause[]) =>
    all.map(({ since, endedAt = since }) => msByMonth(since, endedAt));
  const sums = [...ofMachines].map(([id, all]) => [
    id,
    sumByMonth([beforeOf[id] ?? {}, ...times(all)]),
  ]);
  const formerDownOf = { ...beforeOf, ...Object.fromEntries(sums) };
  return {
    ...(before || ofServer.length > 0
      ? { formerDownMs: sumByMonth([before ?? {}, ...times(ofServer)]) }
      : {}),
    ...(Object.keys(formerDownOf).length > 0 ? { formerDownOf } : {}),
  };
}

/** How long a server was down in an incident, its own or its cluster's: none of it where that was an outage of ours. */
export function downMs(
  { causes, formerDownMs, formerDownOf, closedAs, isCluster }: Incident,
  now: number,
  server: string,
): MsByMonth {
  if (closedAs === "outage") return {};
  const lasting = causes
    .filter((cause) => isDown(cause) && (!isCluster || cause.machine?.id === server))
    .map(({ since, endedAt = now }) => msByMonth(since, endedAt));
  return sumByMonth([(isCluster ? formerDownOf?.[server] : formerDownMs) ?? {}, ...lasting]);
}
