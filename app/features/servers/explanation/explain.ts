import { broken, neverThrough } from "./connection-causes";
import type { CallFacts, Confidence, Explanation } from "./facts";
import { badForAll, sentNothing } from "./quality-causes";
import { saidCause } from "./said-causes";

const ranks: Readonly<Record<Confidence, number>> = { certain: 0, likely: 1, unknown: 2 };

/**
 * Why a call was as it was, what is surest first; nothing for one of which nothing is known to have gone wrong. What is
 * said to be certain was said by LiveKit: nothing else proves why a connection broke.
 */
export function explain(facts: CallFacts): Explanation[] {
  const said = saidCause(facts);
  const found = [
    ...(said ? [said] : [...neverThrough(facts), ...broken(facts)]),
    ...badForAll(facts),
    ...sentNothing(facts),
  ];
  // Of the same confidence what was looked at first stays first.
  return found.toSorted((one, other) => ranks[one.confidence] - ranks[other.confidence]);
}
