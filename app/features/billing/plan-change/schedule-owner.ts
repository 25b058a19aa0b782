import type Stripe from "stripe";

/**
 * The metadata of a schedule of ours. They are set together with the phases, because Stripe takes no other
 * parameters when a schedule is created from a subscription.
 */
export const planChangeMark = { made_by: "plan-change" } as const;

/**
 * Whether somebody else, such as the operator, made a schedule that changes the subscription. A schedule without
 * metadata that only continues the present items may be one of ours that was created and not finished.
 * Releasing it changes nothing, no matter who made it.
 */
export function isOfSomebodyElse(
  { metadata, phases, end_behavior }: Stripe.SubscriptionSchedule,
  { items }: Stripe.Subscription,
): boolean {
  if (metadata?.made_by === planChangeMark.made_by) return false;
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
