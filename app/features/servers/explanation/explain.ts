import { broken, neverThrough, reloaded } from "./connection-causes";
import { deviceCause, poorCause, wayCause } from "./evidence-causes";
import type { CallFacts, Confidence, Explanation } from "./facts";
import { lossOfAll, overload, sentNothing } from "./quality-causes";
import { saidCause } from "./said-causes";

const ranks: Readonly<Record<Confidence, number>> = { certain: 0, likely: 1, unknown: 2 };

/**
 * Why a call was as it was, what is surest first; nothing for one of which nothing is known to have gone wrong. What is
 * said to be certain was said by LiveKit, or by their browser of its camera and microphone: nothing else proves a cause.
 */
export function explain(facts: CallFacts): Explanation[] {
  const { evidence, participant } = facts;
  const said = saidCause(facts);
  const device = deviceCause(evidence?.said, participant.tracks);
  const poor = poorCause(evidence);
  const found = [
    ...(said ? [said] : [...neverThrough(facts), ...broken(facts), ...reloaded(facts)]),
    ...device,
    ...overload(facts),
    ...poor,
    // What one call lost says more than what all lost together.
    ...(poor.length > 0 ? [] : lossOfAll(facts)),
    ...wayCause(evidence),
    ...(device.length > 0 ? [] : sentNothing(facts)),
  ];
  // Of the same confidence what was looked at first stays first.
  return found.toSorted((one, other) => ranks[one.confidence] - ranks[other.confidence]);
}
