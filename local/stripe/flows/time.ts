import type Stripe from "stripe";
import type { Account } from "../account.ts";
import { openInvoices } from "../invoices.ts";
import { now, onTheWire } from "../state.ts";
import { currentPeriodEnd, currentPeriodStart, isOver, nextPeriod } from "../subscriptions.ts";
import { chargeInvoice, draftInvoice, finalizeInvoice, updateSubscription } from "./payment.ts";
import { afterPayment, expirePending } from "./pending-update.ts";
import { nextAttempt } from "./retries.ts";

/** Why a subscription cannot be moved on. */
export type NotPossible = { notPossible: string };

/** Moves time to the end of the subscription's period: it renews, falls behind or ends. */
export function renew(
  account: Account,
  subscription: Stripe.Subscription,
): NotPossible | undefined {
  if (isOver(subscription)) return { notPossible: "This subscription has ended." };
  const at = currentPeriodEnd(subscription);
  expirePending(account, subscription, at);
  if (subscription.cancel_at_period_end) {
    endSubscription(account, subscription, at);
    return undefined;
  }
  const periodStart = currentPeriodStart(subscription);
  const before = onTheWire(subscription);
  nextPeriod(subscription);
  const occasion = { reason: "subscription_cycle", at, periodStart } as const;
  const invoice = draftInvoice(account, subscription, occasion);
  account.record("customer.subscription.updated", subscription, before);
  finalizeInvoice(account, subscription, invoice);
  const attempt = { at, next: nextAttempt(1, at) };
  if (chargeInvoice(account, subscription, invoice, attempt) === "paid")
    afterPayment(account, subscription, invoice);
  else
    updateSubscription(account, subscription, (each) => {
      each.status = "past_due";
    });
  return undefined;
}

/** Tries again to charge what is owed; when the card is good, all is well again. */
export function payOpenInvoice(
  account: Account,
  subscription: Stripe.Subscription,
): NotPossible | undefined {
  const open = openInvoices(account.state, subscription);
  if (open.length === 0) return { notPossible: "No invoice of this subscription is open." };
  for (const invoice of open)
    if (
      chargeInvoice(account, subscription, invoice, { at: now() }) === "paid" &&
      !isOver(subscription)
    )
      afterPayment(account, subscription, invoice);
  return undefined;
}

/** Sets or takes back the wish to end the subscription with its period. */
export function cancelAtPeriodEnd(
  account: Account,
  subscription: Stripe.Subscription,
  wanted: boolean,
  said: { comment?: string | undefined; feedback?: string | undefined } = {},
): void {
  if (subscription.cancel_at_period_end === wanted) return;
  updateSubscription(account, subscription, (each) => {
    each.cancel_at_period_end = wanted;
    each.cancel_at = wanted ? currentPeriodEnd(each) : null;
    each.canceled_at = wanted ? now() : null;
    each.cancellation_details = {
      comment: (wanted && said.comment) || null,
      feedback: (wanted && said.feedback) || null,
      feedback_option: null,
      reason: wanted ? "cancellation_requested" : null,
    };
  });
}

/**
 * Ends the subscription for good. Open invoices stay open but are no longer collected; that of a pending
 * update is void.
 */
export function endSubscription(
  account: Account,
  subscription: Stripe.Subscription,
  at: number,
): void {
  expirePending(account, subscription, at);
  subscription.status = "canceled";
  subscription.canceled_at ??= at;
  subscription.ended_at = at;
  if (subscription.cancellation_details)
    subscription.cancellation_details.reason ??= "cancellation_requested";
  for (const invoice of openInvoices(account.state, subscription)) {
    invoice.auto_advance = false;
    invoice.next_payment_attempt = null;
  }
  account.record("customer.subscription.deleted", subscription);
}
