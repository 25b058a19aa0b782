import type { Refusal } from "./outcome";
import type { OwnPlan } from "./own-plans.server";

/** Why this plan cannot be changed to another one now; undefined when it can. */
export function whatBlocks(plan: OwnPlan): Refusal | undefined {
  const { subscription, latestInvoice } = plan;
  if (subscription.pending_update) return "pending";
  if (["past_due", "unpaid", "paused"].includes(subscription.status)) return "pay-first";
  if (latestInvoice?.status === "open") return "pay-first";
  if (isEnding(plan)) return "ending";
  if (plan.planned) return "planned";
  // The price of the time that is left would be credited although it is not yet paid.
  if (latestInvoice?.status === "draft") return "renewing";
  if (subscription.collection_method === "send_invoice") return "by-invoice";
  if (subscription.currency !== "usd") return "currency";
}

export function isEnding({ subscription }: OwnPlan): boolean {
  return subscription.cancel_at_period_end || subscription.cancel_at !== null;
}
