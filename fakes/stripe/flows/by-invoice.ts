import type Stripe from "stripe";
import type { Account } from "../account.ts";
import { now } from "../state.ts";
import { finalizeInvoice, settleInvoice, updateSubscription } from "./payment.ts";
import { afterPayment } from "./pending-update.ts";

const day = 24 * 60 * 60;

/** Sends a draft: from here on it can be paid, until a day. One that cannot be finalized stays a draft. */
export function sendDraft(
  account: Account,
  subscription: Stripe.Subscription,
  invoice: Stripe.Invoice,
): void {
  invoice.automatically_finalizes_at = null;
  if (!account.settings.canFinalize) {
    invoice.last_finalization_error = {
      code: "customer_tax_location_invalid",
      message: "The customer's location isn't recognized.",
      type: "invalid_request_error",
    };
    account.record("invoice.finalization_failed", invoice);
    return;
  }
  invoice.due_date = now() + (subscription.days_until_due ?? 0) * day;
  finalizeInvoice(account, subscription, invoice);
  account.record("invoice.sent", invoice);
}

/** The day of an invoice is over, and nobody has paid. */
export function becomeOverdue(
  account: Account,
  subscription: Stripe.Subscription,
  invoice: Stripe.Invoice,
): void {
  account.record("invoice.overdue", invoice);
  updateSubscription(account, subscription, (each) => {
    each.status = "past_due";
  });
}

/** The money of a bank transfer has come. */
export function receiveTransfer(
  account: Account,
  subscription: Stripe.Subscription,
  invoice: Stripe.Invoice,
): void {
  settleInvoice(account, invoice, now(), null);
  afterPayment(account, subscription, invoice);
}
