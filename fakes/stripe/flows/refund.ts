import type Stripe from "stripe";
import type { Account } from "../account.ts";
import { isFor } from "../objects/invoices.ts";
import { paymentOf } from "../objects/payments.ts";
import { isOver } from "../objects/subscriptions.ts";
import { refusalOf } from "../rules/rules.ts";
import { newId, now, onTheWire } from "../state.ts";
import { endSubscription, type NotPossible } from "./time.ts";

/**
 * Gives the last payment back and ends the subscription now, as the button "Cancel immediately, refund
 * the last payment" on Stripe's dashboard does.
 */
export function refund(
  account: Account,
  subscription: Stripe.Subscription,
): NotPossible | undefined {
  const charge = lastCharge(account, subscription.id);
  if (isOver(subscription)) return { notPossible: "This subscription has ended." };
  if (!charge) return { notPossible: "Nothing was paid for this subscription." };
  endSubscription(account, subscription, now());
  refundCharge(account, charge, { reason: "requested_by_customer" });
  return undefined;
}

/** The last charge that paid for a subscription and was not given back. */
export function lastCharge(account: Account, subscription: string): Stripe.Charge | undefined {
  return Object.values(account.state.invoices)
    .filter((invoice) => invoice.status === "paid" && isFor(invoice, subscription))
    .flatMap((invoice) => {
      const reference = paymentOf(account, invoice)?.intent.latest_charge;
      const charge = typeof reference === "string" && account.state.charges[reference];
      return charge && !charge.refunded ? [charge] : [];
    })
    .at(-1);
}

const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;

type RefundTerms = {
  amount?: number | undefined;
  reason: Stripe.Refund["reason"];
  metadata?: Stripe.Metadata;
};

/** Gives a charge back, whole or in part; never more than was paid. */
export function refundCharge(
  account: Account,
  charge: Stripe.Charge,
  { amount, reason, metadata = {} }: RefundTerms,
): Stripe.Refund {
  const rest = charge.amount - charge.amount_refunded;
  if (rest === 0) throw refusalOf("refund-of-a-refunded-charge", { charge: charge.id });
  if (charge.disputed) throw refusalOf("refund-of-a-disputed-charge", { charge: charge.id });
  const given = amount ?? rest;
  if (given < 1 || given > rest)
    throw refusalOf("refund-of-more-than-is-left", { amount: dollars(given), left: dollars(rest) });
  const before = onTheWire(charge);
  charge.amount_refunded += given;
  charge.refunded = charge.amount_refunded === charge.amount;
  const made = onTheWire<Stripe.Refund>({
    id: newId("re"),
    object: "refund",
    amount: given,
    balance_transaction: newId("txn"),
    charge: charge.id,
    created: now(),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: "succeeded",
    transfer_reversal: null,
  });
  account.state.refunds[made.id] = made;
  account.record("refund.created", made);
  account.record("charge.refunded", charge, before);
  return made;
}
