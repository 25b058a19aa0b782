import Stripe from "stripe";
import type { AppContext } from "~/http/app-context";
import { describeError, log } from "~/platform/log/log.server";
import { cardOf } from "../prices/payment-methods";
import { idempotencyKey } from "../stripe/idempotency-key";
import { type InvoicePayment, readInvoicePayment } from "../stripe/invoice-payment.server";
import { releaseSchedule } from "./change-later.server";
import { type ChangeOutcome, done, refused } from "./outcome";
import { previewUpward, upwardChange } from "./preview.server";
import { refundDifference } from "./refund-difference.server";
import { pauseAfterRound, readAgain, type StripePlan } from "./stripe-plans.server";
import { declineReason, describeRefusal, isRefusal } from "./stripe-refusals.server";
import type { Target } from "./target.server";

/**
 * What a person was shown and confirms: an amount in cents and, where the billing period goes on, the time from which
 * Stripe counted it, in seconds since 1970.
 */
export type ConfirmedAmount = { amount: number; prorationDate: number | undefined };

/** How long a preview may be confirmed, in seconds. After that the unused time is worth noticeably less. */
const previewLifetime = 60 * 60;
const rounds = 6;

type Scope = { context: AppContext; stripe: Stripe };

/**
 * Changes a plan upwards and charges for it, at most once from one state of the subscription. The change takes
 * effect only when it is paid. Until then Stripe keeps it as a pending update; when the payment is declined,
 * the update is voided here, so that the plan stays as it was. A change that would cost another amount than
 * the person confirmed is refused, and cents that the seconds in between added are given back.
 */
export async function changeNow(
  scope: Scope,
  plan: StripePlan,
  target: Target,
  confirmedAmount: ConfirmedAmount,
): Promise<ChangeOutcome> {
  if (confirmedAmount.amount > 0 && !plan.canPay) return refused("no-card");
  const comparison = await compareAmount(scope.stripe, plan, target, confirmedAmount);
  const sent: Sent =
    comparison === "equal"
      ? await sendChange(scope, plan, target, confirmedAmount)
      : { kind: comparison };
  for (let round = 1; round <= rounds; round++) {
    const current = await readAgain(
      scope.context.configuration,
      scope.stripe,
      plan.subscription.id,
    );
    if (!current) return refused("gone");
    if (current.item.price.id === target.priceId && !current.subscription.pending_update) {
      if (sent.kind === "accepted")
        await refundDifference(scope.stripe, current.latestInvoice, confirmedAmount.amount);
      return done("changed");
    }
    if (current.subscription.pending_update) {
      const outcome = await waitingOutcome(scope.stripe, current);
      if (outcome) return outcome;
    } else if (sent.kind === "declined") {
      return { kind: "refused", why: "declined", card: plan.card, reason: sent.reason };
    } else if (sent.kind === "pending") {
      // Another request from the same state has found the payment declined, and given the change up.
      return await declined(scope.stripe, current, sent.invoice);
    } else if (sent.kind === "moved" || current.item.price.id !== plan.item.price.id) {
      // Another tab came first, with another offer.
      return refused("moved");
    } else if (sent.kind === "refused") {
      return refused(current.state === plan.state ? "not-accepted" : "moved");
    } else if (sent.kind === "earlier" && round > 2) {
      return refused(current.state === plan.state ? "earlier" : "moved");
    }
    // Another request is under way: it used the same idempotency key, or its payment is being made.
    await pauseAfterRound(round);
  }
  return refused("unavailable");
}

/**
 * Compares what was shown with what Stripe says now. `moved` is another amount, or a preview older than
 * `previewLifetime` or of another billing period.
 */
async function compareAmount(
  stripe: Stripe,
  plan: StripePlan,
  target: Target,
  { amount, prorationDate }: ConfirmedAmount,
): Promise<"equal" | "moved" | "refused"> {
  try {
    const now = await previewUpward(stripe, plan, target);
    if (now.prorationDate === undefined) return now.due === amount ? "equal" : "moved";
    const from = Math.max(plan.item.current_period_start, now.prorationDate - previewLifetime);
    if (prorationDate === undefined || prorationDate < from || prorationDate > now.prorationDate)
      return "moved";
    const then = await previewUpward(stripe, plan, target, prorationDate);
    return then.due === amount ? "equal" : "moved";
  } catch (error) {
    if (!isRefusal(error)) throw error;
    log.error("The preview of a change was refused", describeRefusal(error));
    return "refused";
  }
}

type Sent =
  | { kind: "moved" }
  | { kind: "accepted" }
  | { kind: "pending"; invoice: string | undefined }
  | { kind: "declined"; reason: string | undefined }
  | { kind: "refused" }
  /** Another change used the same idempotency key: it is under way, or it failed. */
  | { kind: "earlier" }
  | { kind: "unknown" };

async function sendChange(
  { stripe }: Scope,
  plan: StripePlan,
  target: Target,
  { prorationDate }: ConfirmedAmount,
): Promise<Sent> {
  const change = {
    ...upwardChange(plan, target, prorationDate),
    payment_behavior: "pending_if_incomplete",
  } satisfies Stripe.SubscriptionUpdateParams;
  // Stripe refuses to change a subscription with a schedule. One may be left from a change that was begun only.
  await releaseSchedule(stripe, plan);
  try {
    const { pending_update, latest_invoice } = await stripe.subscriptions.update(
      plan.subscription.id,
      change,
      // The key names neither offer nor time, so that of two tabs that confirm different offers only one is
      // carried out. Keys change every few minutes. A second tab that confirms after such a change is refused
      // because the plan's state is not the one it was shown.
      { idempotencyKey: idempotencyKey(`change-${plan.subscription.id}-${plan.state}`) },
    );
    if (!pending_update) return { kind: "accepted" };
    const invoice = typeof latest_invoice === "string" ? latest_invoice : latest_invoice?.id;
    return { kind: "pending", invoice };
  } catch (error) {
    if (error instanceof Stripe.errors.StripeCardError) {
      return { kind: "declined", reason: declineReason(error) };
    }
    if (isRefusal(error)) {
      log.error("A change of plan was refused", describeRefusal(error));
      return { kind: "refused" };
    }
    log.warn("A change of plan was not answered", describeError(error));
    const isOfAnother =
      error instanceof Stripe.errors.StripeIdempotencyError && error.statusCode !== 409;
    return { kind: isOfAnother ? "earlier" : "unknown" };
  }
}

/** The outcome of a change that waits for its payment; undefined while the payment is being processed. */
async function waitingOutcome(
  stripe: Stripe,
  plan: StripePlan,
): Promise<ChangeOutcome | undefined> {
  const { latestInvoice } = plan;
  if (!latestInvoice) return refused("pending");
  const { status, url, failure } = await readInvoicePayment(stripe, latestInvoice.id);
  if (status === "requires_action") return url ? { kind: "leave", url } : refused("pending");
  if (status !== "requires_payment_method") return;
  if (!(await giveUp(stripe, latestInvoice.id))) return;
  return declinedBy(plan, failure);
}

async function declined(
  stripe: Stripe,
  plan: StripePlan,
  invoice: string | undefined,
): Promise<ChangeOutcome> {
  const payment = invoice ? await readInvoicePayment(stripe, invoice) : undefined;
  return declinedBy(plan, payment?.failure);
}

/** Voids the invoice of a pending update; Stripe then drops the update. False when the invoice is not open. */
export async function giveUp(stripe: Stripe, invoice: string): Promise<boolean> {
  try {
    await stripe.invoices.voidInvoice(invoice);
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

/** The refusal of a declined payment, with the card that was charged and why it was declined. */
function declinedBy(plan: StripePlan, failure: InvoicePayment["failure"]): ChangeOutcome {
  const card = cardOf(failure?.payment_method) ?? plan.card;
  return { kind: "refused", why: "declined", card, reason: failure && declineReason(failure) };
}
