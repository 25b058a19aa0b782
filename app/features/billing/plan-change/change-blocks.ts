import { pauseOf } from "../subscriptions/pause.server";
import type { Refusal } from "./outcome";
import { isOfSomebodyElse } from "./schedule-owner";
import type { StripePlan } from "./stripe-plans.server";

/** Why this plan cannot be changed to another one now; undefined when it can. */
export function whatBlocks(plan: StripePlan): Refusal | undefined {
  const { subscription, latestInvoice } = plan;
  if (subscription.pending_update) return "pending";
  if (["past_due", "unpaid", "paused"].includes(subscription.status)) return "pay-first";
  if (latestInvoice?.status === "open") return "pay-first";
  if (isEnding(plan)) return "ending";
  if (pauseOf(subscription)) return "paused";
  if (isScheduledByHand(plan)) return "by-hand";
  if (plan.planned) return "planned";
  if (subscription.collection_method === "send_invoice") return "by-invoice";
  if (subscription.currency !== "usd") return "currency";
  // The phases of our schedule have one item, so other items of the subscription would end at once. A change
  // to a yearly price would be refused too, because all items of a subscription must have one interval.
  if (subscription.items.data.length > 1) return "several-items";
  // The renewal is not paid yet: a change would give credit for time that nobody has paid for.
  if (latestInvoice?.status === "draft") return "renewing";
}

/** Whether the subscription has a schedule that somebody else made, such as the operator at Stripe. */
export function isScheduledByHand({ schedule, subscription }: StripePlan): boolean {
  return schedule !== undefined && isOfSomebodyElse(schedule, subscription);
}

export function isEnding({ subscription }: StripePlan): boolean {
  return subscription.cancel_at_period_end || subscription.cancel_at !== null;
}
