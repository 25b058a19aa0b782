import type { PairKind } from "~/features/deployments/test-room/candidate-pair";
import { type Evidence, type EvidenceFailure, isBad } from "./evidence";

// What calls of a day come to. Figures are counted in steps, so that half and 95 of 100 are read from sums alone.

/** The upper ends of the steps, the last of which has none. */
export const roundTripSteps = [25, 50, 75, 100, 150, 200, 300, 400, 600, 1_000] as const;
export const lossSteps = [1, 2, 5, 10, 20, 50, 100, 200] as const;

/** What one call counts for, by name. `net` and `bad`: of its network all, and those that were bad. */
export function countsOf(evidence: Evidence): string[] {
  const { state, way, failure, roundTripMs, lossPermille, network } = evidence;
  return [
    state === "failed" ? `fail ${failure ?? "other"}` : `way ${way ?? "unknown"}`,
    ...(roundTripMs === undefined ? [] : [`trip ${stepOf(roundTripSteps, roundTripMs)}`]),
    ...(lossPermille === undefined ? [] : [`loss ${stepOf(lossSteps, lossPermille)}`]),
    ...(network ? [`net ${network}`, ...(isBad(evidence) ? [`bad ${network}`] : [])] : []),
  ];
}

/** What is counted of a day beside its calls. */
export const surplusName = "surplus";

const stepOf = (steps: readonly number[], value: number): number => {
  const at = steps.findIndex((end) => value <= end);
  return at < 0 ? steps.length : at;
};

export type EvidenceDay = {
  day: number;
  calls: number;
  ways: Partial<Record<PairKind | "unknown", number>>;
  failures: Partial<Record<EvidenceFailure, number>>;
  /** At most so much; undefined where nothing was measured, infinite above the last step. */
  roundTrip: Quantiles | undefined;
  loss: Quantiles | undefined;
  /** Requests of apps that were not taken, at least. They are in no other figure. */
  surplus: number;
};
type Quantiles = { half: number; most: number };

/** The sums of one day, from its counts by name. */
export function dayOfCounts(day: number, counts: ReadonlyMap<string, number>): EvidenceDay {
  const of = (kind: string) =>
    Object.fromEntries(
      [...counts].flatMap(([name, count]) =>
        name.startsWith(`${kind} `) && count > 0 ? [[name.slice(kind.length + 1), count]] : [],
      ),
    );
  const ways: EvidenceDay["ways"] = of("way");
  return {
    ...{ day, ways, failures: of("fail") },
    calls: Object.values(ways).reduce((sum, count) => sum + count, 0),
    roundTrip: quantilesOf(roundTripSteps, of("trip")),
    loss: quantilesOf(lossSteps, of("loss")),
    surplus: counts.get(surplusName) ?? 0,
  };
}

function quantilesOf(
  steps: readonly number[],
  counts: Readonly<Record<string, number>>,
): Quantiles | undefined {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (all === 0) return;
  const at = (share: number) => {
    let seen = 0;
    for (let step = 0; step <= steps.length; step++) {
      seen += counts[step] ?? 0;
      if (seen >= all * share) return steps[step] ?? Number.POSITIVE_INFINITY;
    }
    return Number.POSITIVE_INFINITY;
  };
  return { half: at(0.5), most: at(0.95) };
}

/** What is known of a network over the last days. */
export type NetworkSum = { network: string; calls: number; bad: number };
