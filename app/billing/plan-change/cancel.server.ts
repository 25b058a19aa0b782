import type Stripe from "stripe";
import type { CancelReason } from "./cancel-reasons";
import { isEnding } from "./change-blocks";
import { isOvertaken, releaseSchedule } from "./change-later.server";
import { giveUp } from "./change-now.server";
import { type ChangeOutcome, done, refused } from "./outcome";
import type { OwnPlan } from "./own-plans.server";

/** Lets a plan end with what is paid for. A change that was planned is taken back. */
export async function cancelPlan(
  stripe: Stripe,
  plan: OwnPlan,
  reason: CancelReason | undefined,
): Promise<ChangeOutcome> {
  if (isEnding(plan)) return done("cancelled");
  if (plan.subscription.pending_update) return refused("pending");
  await releaseSchedule(stripe, plan);
  return settled(
    stripe.subscriptions.update(plan.subscription.id, {
      cancel_at_period_end: true,
      ...(reason ? { cancellation_details: { feedback: reason } } : {}),
    }),
    "cancelled",
  );
}

/** Takes a cancellation back, as long as the plan still runs. */
export async function resumePlan(stripe: Stripe, plan: OwnPlan): Promise<ChangeOutcome> {
  if (!isEnding(plan)) return done("resumed");
  const { id, cancel_at_period_end } = plan.subscription;
  return settled(
    stripe.subscriptions.update(
      id,
      // A day that was set by hand is no wish to end with the period.
      cancel_at_period_end ? { cancel_at_period_end: false } : { cancel_at: "" },
    ),
    "resumed",
  );
}

/** Gives a change up that waits for its payment: nothing is charged, and the plan stays as it is. */
export async function giveChangeUp(
  stripe: Stripe,
  { subscription, latestInvoice }: OwnPlan,
): Promise<ChangeOutcome> {
  if (!subscription.pending_update) return done("given-up");
  if (!latestInvoice || !(await giveUp(stripe, latestInvoice.id))) return refused("moved");
  return done("given-up");
}

async function settled(
  work: Promise<unknown>,
  what: "cancelled" | "resumed",
): Promise<ChangeOutcome> {
  try {
    await work;
    return done(what);
  } catch (error) {
    if (isOvertaken(error)) return refused("moved");
    throw error;
  }
}
