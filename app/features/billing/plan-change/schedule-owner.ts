import type Stripe from "stripe";

/**
 * What a schedule of ours has in its metadata. It is set with the phases: a schedule that is made from a
 * subscription takes nothing else at its creation.
 */
export const ownMark = { made_by: "plan-change" } as const;

/**
 * Whether somebody else, the operator for instance, decides by a schedule what becomes of a subscription.
 * One without a mark that only goes on with what there is may be one of ours that was begun and not
 * finished; whoever made it, nothing is lost when it is let go.
 */
export function isOfSomebodyElse(
  { metadata, phases, end_behavior }: Stripe.SubscriptionSchedule,
  { items }: Stripe.Subscription,
): boolean {
  if (metadata?.made_by === ownMark.made_by) return false;
  const [phase] = phases;
  const goesOn =
    phase !== undefined &&
    phases.length === 1 &&
    end_behavior === "release" &&
    phase.items.every(({ price }) =>
      items.data.some((item) => item.price.id === (typeof price === "string" ? price : price.id)),
    );
  return !goesOn || Object.keys(metadata ?? {}).length > 0;
}
