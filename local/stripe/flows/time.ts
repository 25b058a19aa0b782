import type Stripe from "stripe";
import type { Account } from "../account.ts";
import { idOf, now, onTheWire } from "../state.ts";
import { currentPeriodEnd, isOver, periodEnd } from "../subscriptions.ts";
import { chargeInvoice, draftInvoice, finalizeInvoice, updateSubscription } from "./payment.ts";

/** Why a subscription cannot be moved on. */
export type NotPossible = { notPossible: string };

/** Moves time to the end of the subscription's period: it renews, falls behind or ends. */
export function renew(
  account: Account,
  subscription: Stripe.Subscription,
): NotPossible | undefined {
  if (isOver(subscription)) return { notPossible: "This subscription has ended." };
  const at = currentPeriodEnd(subscription);
  if (subscription.cancel_at_period_end) {
    endSubscription(account, subscription, at);
    return undefined;
  }
  const periodStart = Math.min(...subscription.items.data.map((item) => item.current_period_start));
  const before = onTheWire(subscription);
  for (const item of subscription.items.data) {
    if (!item.price.recurring) continue;
    item.current_period_start = item.current_period_end;
    item.current_period_end = periodEnd(item.current_period_start, item.price.recurring);
  }
  const occasion = { reason: "subscription_cycle", at, periodStart } as const;
  const invoice = draftInvoice(account, subscription, occasion);
  account.record("customer.subscription.updated", subscription, before);
  finalizeInvoice(account, subscription, invoice);
  if (!chargeInvoice(account, subscription, invoice, at))
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
  const open = Object.values(account.state.invoices).filter(
    (invoice) => invoice.status === "open" && isFor(invoice, subscription.id),
  );
  if (open.length === 0) return { notPossible: "No invoice of this subscription is open." };
  const paid = open.map((invoice) => chargeInvoice(account, subscription, invoice, now()));
  if (paid.every(Boolean) && !isOver(subscription))
    updateSubscription(account, subscription, (each) => {
      each.status = "active";
    });
  return undefined;
}

/** Sets or takes back the wish to end the subscription with its period. */
export function cancelAtPeriodEnd(
  account: Account,
  subscription: Stripe.Subscription,
  wanted: boolean,
): void {
  if (subscription.cancel_at_period_end === wanted) return;
  updateSubscription(account, subscription, (each) => {
    each.cancel_at_period_end = wanted;
    each.cancel_at = wanted ? currentPeriodEnd(each) : null;
    each.canceled_at = wanted ? now() : null;
    each.cancellation_details = {
      comment: null,
      feedback: null,
      feedback_option: null,
      reason: wanted ? "cancellation_requested" : null,
    };
  });
}

/** Ends the subscription for good. Open invoices stay open but are no longer collected. */
export function endSubscription(
  account: Account,
  subscription: Stripe.Subscription,
  at: number,
): void {
  subscription.status = "canceled";
  subscription.canceled_at ??= at;
  subscription.ended_at = at;
  if (subscription.cancellation_details)
    subscription.cancellation_details.reason ??= "cancellation_requested";
  for (const invoice of Object.values(account.state.invoices))
    if (invoice.status === "open" && isFor(invoice, subscription.id)) {
      invoice.auto_advance = false;
      invoice.next_payment_attempt = null;
    }
  account.record("customer.subscription.deleted", subscription);
}

/** Whether an invoice belongs to a subscription. */
export function isFor(invoice: Stripe.Invoice, subscription: string): boolean {
  const reference = invoice.parent?.subscription_details?.subscription;
  return reference !== undefined && idOf(reference) === subscription;
}
