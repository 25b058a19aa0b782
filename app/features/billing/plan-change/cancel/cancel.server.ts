import type Stripe from "stripe";
import { offerKeys } from "~/content/plans";
import type { AppContext } from "~/http/app-context";
import { describeError, log } from "~/platform/log/log.server";
import { isEnding, isScheduledByHand } from "../change-blocks";
import { changeLater, releaseSchedule } from "../change-later.server";
import { giveUp } from "../change-now.server";
import { type ChangeOutcome, type Done, done, refused } from "../outcome";
import { pauseAfterRound, readAgain, type StripePlan } from "../stripe-plans.server";
import { isContention, isRefusal } from "../stripe-refusals.server";
import { directionOf, termsOf } from "../terms";
import type { CancelReason } from "./cancel-reasons";

export type ChangeScope = { context: AppContext; stripe: Stripe };

const rounds = 3;

/**
 * Cancels a plan at the end of the paid period. A planned change is taken back first, as Stripe cancels nothing under a
 * schedule; where the cancellation fails it is planned again.
 */
export async function cancelPlan(
  scope: ChangeScope,
  plan: StripePlan,
  reason: CancelReason | undefined,
): Promise<ChangeOutcome> {
  if (isEnding(plan)) return done("cancelled");
  if (plan.subscription.pending_update) return refused("pending");
  if (isScheduledByHand(plan)) return refused("by-hand");
  await releaseSchedule(scope.stripe, plan);
  const work = scope.stripe.subscriptions.update(plan.subscription.id, {
    cancel_at_period_end: true,
    ...(reason ? { cancellation_details: { feedback: reason } } : {}),
  });
  try {
    const outcome = await afterUpdate(scope, plan, work, "cancelled", isEnding);
    // Another request that holds the plan may be this very press, made twice: it ends first.
    if (outcome.kind === "refused" && outcome.why === "earlier") await pauseAfterRound(1);
    if (outcome.kind === "refused") await planAgain(scope, plan);
    return outcome;
  } catch (error) {
    await planAgain(scope, plan);
    throw error;
  }
}

/**
 * Plans the change again that was taken back for something that failed. The plan is read again before: where only the
 * answer was lost, or another press was faster, it is cancelled by now, and a schedule would let it go on.
 */
async function planAgain(scope: ChangeScope, plan: StripePlan): Promise<void> {
  const { planned, subscription } = plan;
  const terms = planned?.terms;
  const offer = terms && offerKeys.find((key) => directionOf(terms, termsOf(key)) === "same");
  if (!planned || !offer) return;
  const lost = (why: object) =>
    log.error("A planned change of plan was lost", { subscription: subscription.id, ...why });
  try {
    const { context, stripe } = scope;
    const current = await readAgain(context.configuration, stripe, subscription.id);
    if (!current || isEnding(current) || current.schedule || current.planned) return;
    const target = { offer, priceId: planned.priceId, direction: "down" } as const;
    const outcome = await changeLater(scope, current, target);
    if (outcome.kind !== "done") lost({ outcome: outcome.kind });
  } catch (error) {
    lost(describeError(error));
  }
}

/** Takes a cancellation back, as long as the plan has not ended. */
export async function resumePlan(scope: ChangeScope, plan: StripePlan): Promise<ChangeOutcome> {
  if (!isEnding(plan)) return done("resumed");
  const { id, cancel_at_period_end } = plan.subscription;
  return afterUpdate(
    scope,
    plan,
    scope.stripe.subscriptions.update(
      id,
      // An end date that was set by hand is in `cancel_at` alone, and is removed there.
      cancel_at_period_end ? { cancel_at_period_end: false } : { cancel_at: "" },
    ),
    "resumed",
    (current) => !isEnding(current),
  );
}

/**
 * Gives up a change that waits for its payment: nothing is charged, and the plan stays as it is. If it was paid
 * in the meantime, the change is made and the outcome says so.
 */
export async function giveChangeUp(
  { context, stripe }: ChangeScope,
  plan: StripePlan,
): Promise<ChangeOutcome> {
  let current: StripePlan | undefined = plan;
  for (let round = 1; round <= rounds; round++) {
    const { subscription, latestInvoice }: StripePlan = current;
    if (!subscription.pending_update) {
      return done(latestInvoice?.status === "paid" ? "changed" : "given-up");
    }
    if (!latestInvoice) return refused("pending");
    if (await giveUp(stripe, latestInvoice.id)) return done("given-up");
    current = await readAgain(context.configuration, stripe, subscription.id);
    if (!current) return refused("gone");
    if (!current.subscription.pending_update) continue;
    await pauseAfterRound(round);
  }
  return refused("paying");
}

/** How an update of a plan ended. Where Stripe refused it, what the plan is by now decides: `isDone` says whether. */
export async function afterUpdate(
  { context, stripe }: ChangeScope,
  plan: StripePlan,
  work: Promise<unknown>,
  what: Done,
  isDone: (current: StripePlan) => boolean,
): Promise<ChangeOutcome> {
  try {
    await work;
    return done(what);
  } catch (error) {
    if (!isContention(error) && !isRefusal(error)) throw error;
    const current = await readAgain(context.configuration, stripe, plan.subscription.id);
    if (!current) return refused("gone");
    if (isDone(current)) return done(what);
    if (isContention(error)) return refused("earlier");
    log.error("A plan could not be cancelled, paused or resumed", describeError(error));
    return refused("not-accepted");
  }
}
