import type Stripe from "stripe";
import { type Account, productName, subscriptionsOf } from "../account.ts";
import { attachCard, cardFor, existingCustomer } from "../customers.ts";
import { finalize, makeInvoice, markPaid, markPaymentFailed } from "../invoices.ts";
import { type CardBehaviour, idOf, onTheWire } from "../state.ts";
import { isOver } from "../subscriptions.ts";

/** Changes a subscription and announces the change; nothing is said when nothing changed. */
export function updateSubscription(
  account: Account,
  subscription: Stripe.Subscription,
  change: (subscription: Stripe.Subscription) => void,
): void {
  const before = onTheWire(subscription);
  change(subscription);
  if (JSON.stringify(before) !== JSON.stringify(subscription))
    account.record("customer.subscription.updated", subscription, before);
}

type InvoiceOccasion = {
  reason: "subscription_create" | "subscription_cycle" | "subscription_update";
  at: number;
  periodStart: number;
};

/** Drafts the invoice for the subscription's current period. */
export function draftInvoice(
  account: Account,
  subscription: Stripe.Subscription,
  occasion: InvoiceOccasion,
): Stripe.Invoice {
  const customer = existingCustomer(account.state, idOf(subscription.customer));
  const invoice = makeInvoice({ customer, subscription, ...occasion }, (id) =>
    productName(account, id),
  );
  account.state.invoices[invoice.id] = invoice;
  subscription.latest_invoice = invoice.id;
  account.record("invoice.created", invoice);
  return invoice;
}

/** Gives a draft the customer's next invoice number; from here on it can be paid. */
export function finalizeInvoice(
  account: Account,
  subscription: Stripe.Subscription,
  invoice: Stripe.Invoice,
): void {
  const customer = existingCustomer(account.state, idOf(subscription.customer));
  const sequence = customer.next_invoice_sequence ?? 1;
  customer.next_invoice_sequence = sequence + 1;
  const number = `${customer.invoice_prefix}-${String(sequence).padStart(4, "0")}`;
  finalize(invoice, number, account.baseUrl);
  account.record("invoice.finalized", invoice);
}

/** Notes the payment of an open invoice. */
export function settleInvoice(account: Account, invoice: Stripe.Invoice, at: number): void {
  markPaid(invoice, at);
  account.record("invoice.paid", invoice);
  account.record("invoice.payment_succeeded", invoice);
}

/** Charges the customer's card for an open invoice. Says whether the money came. */
export function chargeInvoice(
  account: Account,
  subscription: Stripe.Subscription,
  invoice: Stripe.Invoice,
  at: number,
): boolean {
  const card = cardFor(account.state, subscription);
  if (card && account.state.cardBehaviours[card.id] === "good") {
    settleInvoice(account, invoice, at);
    return true;
  }
  markPaymentFailed(invoice, at);
  account.record("invoice.payment_failed", invoice);
  return false;
}

/** Gives the customer another card and uses it for everything from now on. */
export function replaceCard(
  account: Account,
  customer: Stripe.Customer,
  behaviour: CardBehaviour,
): Stripe.PaymentMethod {
  const card = attachCard(account.state, customer, behaviour);
  account.record("payment_method.attached", card);
  const before = onTheWire(customer);
  customer.invoice_settings.default_payment_method = card.id;
  account.record("customer.updated", customer, before);
  for (const subscription of subscriptionsOf(account, customer.id))
    if (!isOver(subscription))
      updateSubscription(account, subscription, (each) => {
        each.default_payment_method = card.id;
      });
  return card;
}
