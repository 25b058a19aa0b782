import type Stripe from "stripe";
import type { Account } from "../account.ts";
import { isFor } from "../invoices.ts";
import { idOf, newId, now, onTheWire } from "../state.ts";
import { isOver } from "../subscriptions.ts";
import { endSubscription, type NotPossible } from "./time.ts";

/**
 * Gives the last payment back and ends the subscription now, as the button "Cancel immediately, refund
 * the last payment" on Stripe's dashboard does.
 */
export function refund(
  account: Account,
  subscription: Stripe.Subscription,
): NotPossible | undefined {
  const paid = Object.values(account.state.invoices).findLast(
    (invoice) => invoice.status === "paid" && isFor(invoice, subscription.id),
  );
  if (isOver(subscription)) return { notPossible: "This subscription has ended." };
  if (!paid) return { notPossible: "Nothing was paid for this subscription." };
  endSubscription(account, subscription, now());
  account.record("refund.created", makeRefund(subscription, paid));
  return undefined;
}

function makeRefund(
  { customer, default_payment_method }: Stripe.Subscription,
  { amount_paid, currency }: Stripe.Invoice,
): Stripe.Refund {
  return onTheWire<Stripe.Refund>({
    id: newId("re"),
    object: "refund",
    amount: amount_paid,
    balance_transaction: newId("txn"),
    charge: newId("ch"),
    created: now(),
    currency,
    customer: idOf(customer),
    customer_account: null,
    metadata: {},
    payment_intent: newId("pi"),
    payment_method: default_payment_method && idOf(default_payment_method),
    reason: "requested_by_customer",
    receipt_number: null,
    source_transfer_reversal: null,
    status: "succeeded",
    transfer_reversal: null,
  });
}
