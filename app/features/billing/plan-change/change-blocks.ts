import type { Refusal } from "./outcome";
import type { OwnPlan } from "./own-plans.server";
import { isOfSomebodyElse } from "./schedule-owner";

/** Why this plan cannot be changed to another one now; undefined when it can. */
export function whatBlocks(plan: OwnPlan): Refusal | undefined {
  const { subscription, latestInvoice } = plan;
  if (subscription.pending_update) return "pending";
  if (["past_due", "unpaid", "paused"].includes(subscription.status)) return "pay-first";
  if (latestInvoice?.status === "open") return "pay-first";
  if (isEnding(plan)) return "ending";
  if (isScheduledByHand(plan)) return "by-hand";
  if (plan.planned) return "planned";
  if (subscription.collection_method === "send_invoice") return "by-invoice";
  if (subscription.currency !== "usd") return "currency";
  // The phases of a schedule name one item: what else was put on the subscription would end at once. All
  // items have one interval, so that a change to a year is refused by Stripe.
  if (subscription.items.data.length > 1) return "several-items";
  // The price of the time that is left would be credited although it is not yet paid.
  if (latestInvoice?.status === "draft") return "renewing";
}

/** Whether a schedule that we did not make decides what becomes of the plan. */
export function isScheduledByHand({ schedule, subscription }: OwnPlan): boolean {
  return schedule !== undefined && isOfSomebodyElse(schedule, subscription);
}

export function isEnding({ subscription }: OwnPlan): boolean {
  return subscription.cancel_at_period_end || subscription.cancel_at !== null;
}
