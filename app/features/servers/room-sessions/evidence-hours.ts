import { type Evidence, isBad, isLossy, isSlow } from "./evidence";

export const hourMs = 3_600_000;

/** The calls and tries that began in one hour of UTC. */
export type EvidenceHour = {
  /** When it began, in milliseconds since 1970. */
  at: number;
  calls: number;
  /** Those that were bad, each by the first of these that is true of it; the last: it failed or broke off. */
  lossy: number;
  slow: number;
  broken: number;
  lossPermille: Measured;
  roundTripMs: Measured;
  /** Of everybody else in the same hour, in other networks; only where some of these calls were bad. */
  others?: { calls: number; bad: number };
  /** Whether the server had too much to do; the console adds it to hours with bad calls, where figures are known. */
  isBusy?: boolean;
};

/** A figure of several calls, of which not each has it. */
type Measured = { sum: number; count: number };

export const badOf = ({ lossy, slow, broken }: Pick<EvidenceHour, "lossy" | "slow" | "broken">) =>
  lossy + slow + broken;

/** The hours in which somebody called, the oldest first. */
export function hoursOf(
  calls: readonly Evidence[],
  others: readonly Evidence[] = [],
): EvidenceHour[] {
  const hourOf = ({ firstAt }: Evidence) => Math.floor(firstAt / hourMs) * hourMs;
  const othersByHour = Map.groupBy(others, hourOf);
  return [...Map.groupBy(calls, hourOf)]
    .map(([at, all]) => {
      const lossy = all.filter(isLossy).length;
      const slow = all.filter((each) => isSlow(each) && !isLossy(each)).length;
      const bad = all.filter(isBad).length;
      const beside = bad > 0 ? othersByHour.get(at) : undefined;
      return {
        ...{ at, calls: all.length, lossy, slow, broken: bad - lossy - slow },
        lossPermille: measured(all.map((each) => each.lossPermille)),
        roundTripMs: measured(all.map((each) => each.roundTripMs)),
        ...(beside && { others: { calls: beside.length, bad: beside.filter(isBad).length } }),
      };
    })
    .sort((one, other) => one.at - other.at);
}

function measured(values: readonly (number | undefined)[]): Measured {
  const known = values.filter((value) => value !== undefined);
  return { sum: known.reduce((sum, value) => sum + value, 0), count: known.length };
}
