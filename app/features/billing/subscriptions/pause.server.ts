import type Stripe from "stripe";

/** The metadata key of a paused subscription: the second at which what was paid for ends. */
export const pauseMark = "livekit_deploy_paused_from";

/** A pause from one second to another. `runs` once what was paid for is over. */
export type Pause = { from: number; until: number; runs: boolean };

/**
 * The pause that a customer has asked for. Stripe leaves a subscription active while the collection of its payments is
 * paused, and voids its invoices. So the period that it is in says whether the pause has begun, and no clock. A pause
 * that the operator made at Stripe is theirs: what they have agreed upon with the customer goes on.
 */
export function pauseOf({
  metadata,
  pause_collection,
  items,
}: Pick<Stripe.Subscription, "metadata" | "pause_collection" | "items">): Pause | undefined {
  const from = Number(metadata[pauseMark]);
  const until = pause_collection?.resumes_at;
  const start = items.data[0]?.current_period_start;
  if (!from || !until || start === undefined || start >= until) return;
  return { from, until, runs: start >= from };
}
