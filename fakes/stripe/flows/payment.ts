import type Stripe from "stripe";
import { type Account, productName, subscriptionsOf } from "../account.ts";
import { hasExpired, type NewCard } from "../objects/cards.ts";
import { settleBalance } from "../objects/credit.ts";
import { attachCard, cardFor, existingCustomer } from "../objects/customers.ts";
import { discountsAfter } from "../objects/discounts.ts";
import { wholePeriod } from "../objects/invoice-lines.ts";
import { finalize, makeInvoice, markPaid, markPaymentFailed } from "../objects/invoices.ts";
import { failPayment, openPayment, succeedPayment } from "../objects/payments.ts";
import { isOver } from "../objects/subscriptions.ts";
import type { LineTerms } from "../state.ts";
import { idOf, onTheWire } from "../state.ts";

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
  /** Without lines the period that the subscription is in is charged. */
  lines?: LineTerms[];
  /** The prorations that wait for the next invoice are left for another one. */
  withoutWaiting?: boolean;
};

/** The lines for the period that a subscription is in. */
export function periodLines(account: Account, subscription: Stripe.Subscription): LineTerms[] {
  return subscription.items.data.map((item) =>
    wholePeriod(item, productName(account, idOf(item.price.product))),
  );
}

/** Drafts an invoice, and takes up the prorations that waited for it. */
export function draftInvoice(
  account: Account,
  subscription: Stripe.Subscription,
  { lines: given, withoutWaiting, ...occasion }: InvoiceOccasion,
): Stripe.Invoice {
  const { state } = account;
  const customer = existingCustomer(state, idOf(subscription.customer));
  const waiting = withoutWaiting ? [] : (state.pendingLines[subscription.id] ?? []);
  if (!withoutWaiting) delete state.pendingLines[subscription.id];
  const lines = [...waiting, ...(given ?? periodLines(account, subscription))];
  const invoice = makeInvoice(state, { customer, subscription, lines, ...occasion });
  subscription.discounts = discountsAfter(state, subscription, occasion.at);
  state.invoices[invoice.id] = invoice;
  subscription.latest_invoice = invoice.id;
  account.record("invoice.created", invoice);
  return invoice;
}

/**
 * Gives a draft the customer's next invoice number; from here on it can be paid. What it uses of the
 * customer's balance, or gives to it, is booked.
 */
export function finalizeInvoice(
  account: Account,
  subscription: Stripe.Subscription,
  invoice: Stripe.Invoice,
): void {
  finalize(invoice, nextNumber(account, subscription), account.baseUrl);
  settleBalance(account, invoice);
  openPayment(account, invoice);
  account.record("invoice.finalized", invoice);
}

/** The customer's next invoice number, which is then used. */
export function nextNumber(account: Account, subscription: Stripe.Subscription): string {
  const customer = existingCustomer(account.state, idOf(subscription.customer));
  const sequence = customer.next_invoice_sequence ?? 1;
  customer.next_invoice_sequence = sequence + 1;
  return `${customer.invoice_prefix}-${String(sequence).padStart(4, "0")}`;
}

/** Notes the payment of an open invoice. */
export function settleInvoice(
  account: Account,
  invoice: Stripe.Invoice,
  at: number,
  card: string | null,
): void {
  succeedPayment(account, invoice, card, at);
  markPaid(invoice, at);
  account.record("invoice.paid", invoice);
  account.record("invoice.payment_succeeded", invoice);
}

/** How a charge ended. */
export type ChargeOutcome = "paid" | "declined" | "needs authentication";

type Attempt = {
  at: number;
  /** When Stripe tries again by itself if this fails; undefined leaves what was set. */
  next?: number | null;
  /** The card to charge instead of the subscription's own. */
  card?: Stripe.PaymentMethod | undefined;
  /** The card's owner has confirmed this payment. */
  authenticated?: boolean;
};

/** Charges a card for an open invoice; without the person at the screen unless they have authenticated it. */
export function chargeInvoice(
  account: Account,
  subscription: Stripe.Subscription,
  invoice: Stripe.Invoice,
  attempt: Attempt,
): ChargeOutcome {
  const card = attempt.card ?? cardFor(account.state, subscription);
  const behaviour = card && account.state.cardBehaviours[card.id];
  const expired = card?.card ? hasExpired(card.card, attempt.at) : false;
  const confirmed = behaviour === "authenticating" && attempt.authenticated === true;
  const pays = (behaviour === "good" || confirmed) && !expired;
  if (invoice.amount_due === 0 || pays) {
    settleInvoice(account, invoice, attempt.at, pays && card ? card.id : null);
    return "paid";
  }
  const asks = behaviour === "authenticating" && !expired;
  failPayment(
    account,
    invoice,
    card,
    expired ? "expired_card" : asks ? "authentication_required" : "card_declined",
  );
  const { next = invoice.next_payment_attempt } = attempt;
  markPaymentFailed(invoice, next);
  account.record("invoice.payment_failed", invoice);
  if (!asks) return "declined";
  account.record("invoice.payment_action_required", invoice);
  return "needs authentication";
}

/** Gives the customer another card. A subscription that has a card of its own is not charged to it. */
export function replaceCard(
  account: Account,
  customer: Stripe.Customer,
  newCard: NewCard,
): Stripe.PaymentMethod {
  const card = attachCard(account.state, customer, newCard);
  account.record("payment_method.attached", card);
  const before = onTheWire(customer);
  customer.invoice_settings.default_payment_method = card.id;
  account.record("customer.updated", customer, before);
  return card;
}

/** Gives the customer another card and uses it for everything from now on. */
export function replaceEveryCard(
  account: Account,
  customer: Stripe.Customer,
  newCard: NewCard,
): Stripe.PaymentMethod {
  const card = replaceCard(account, customer, newCard);
  for (const subscription of subscriptionsOf(account, customer.id))
    if (!isOver(subscription))
      updateSubscription(account, subscription, (each) => {
        each.default_payment_method = card.id;
      });
  return card;
}
