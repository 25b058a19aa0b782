import type Stripe from "stripe";
import type { Account } from "../account.ts";
import type { NewCard } from "../objects/cards.ts";
import { attachCard, existingCustomer, makeCustomer } from "../objects/customers.ts";
import { couponOf, giveDiscount } from "../objects/discounts.ts";
import { applySessionTotals } from "../objects/session-totals.ts";
import { makeSubscription } from "../objects/subscriptions.ts";
import { taxIdsOf } from "../objects/tax.ts";
import { addTaxId, type taxIdTypes } from "../objects/tax-ids.ts";
import { idOf, now, onTheWire } from "../state.ts";
import { draftInvoice, finalizeInvoice, settleInvoice, updateSubscription } from "./payment.ts";

/** The session, marked expired first if its day is over. */
export function currentSession(account: Account, id: string): Stripe.Checkout.Session | undefined {
  const session = account.state.checkoutSessions[id];
  if (session?.status === "open" && session.expires_at <= now()) expireSession(account, session);
  return session;
}

/** Closes an open session: nobody can pay on its page any more. */
export function expireSession(account: Account, session: Stripe.Checkout.Session): void {
  session.status = "expired";
  session.url = null;
  account.record("checkout.session.expired", session);
}

/** What the person typed on the checkout page. */
export type CheckoutEntry = {
  email: string;
  card: NewCard;
  address?: Stripe.Address | undefined;
  businessName?: string | undefined;
  taxId?: { type: (typeof taxIdTypes)[number]; value: string } | undefined;
  acceptedTerms?: boolean | undefined;
  /** The custom fields, by their keys. */
  custom?: Readonly<Record<string, string>> | undefined;
};

/** Pays an open session: customer, card, subscription and first invoice, in Stripe's order. */
export function completeCheckout(
  account: Account,
  session: Stripe.Checkout.Session,
  entry: CheckoutEntry,
): void {
  const { state, record } = account;
  const order = state.checkoutOrders[session.id];
  if (session.status !== "open" || !order) throw new Error(`Session ${session.id} is not open.`);

  const customer = payingCustomer(account, session, entry);
  applySessionTotals(state, session, customer);
  const card = attachCard(state, customer, entry.card);
  record("payment_method.attached", card);

  const subscription = makeSubscription({
    customer: customer.id,
    items: order.lineItems.flatMap(({ price, quantity }) =>
      price ? [{ price, quantity: quantity ?? 1 }] : [],
    ),
    paymentMethod: card.id,
    metadata: order.subscriptionMetadata,
    description: order.subscriptionDescription,
  });
  subscription.automatic_tax.enabled = session.automatic_tax.enabled;
  subscription.discounts = redeemed(account, session, subscription);
  state.subscriptions[subscription.id] = subscription;
  record("customer.subscription.created", subscription);

  const at = now();
  const invoice = draftInvoice(account, subscription, {
    reason: "subscription_create",
    at,
    periodStart: at,
  });
  finalizeInvoice(account, subscription, invoice);
  settleInvoice(account, invoice, at, card.id);
  updateSubscription(account, subscription, (each) => {
    each.status = "active";
  });

  session.status = "complete";
  session.payment_status = "paid";
  session.url = null;
  session.customer = customer.id;
  session.subscription = subscription.id;
  session.invoice = invoice.id;
  session.customer_details = {
    address: entry.address ?? null,
    business_name: entry.businessName ?? null,
    email: customer.email ?? entry.email,
    individual_name: null,
    name: entry.businessName ?? customer.name ?? null,
    phone: null,
    tax_exempt: "none",
    tax_ids: taxIdsOf(state, customer.id).map(({ type, value }) => ({ type, value })),
  };
  for (const each of session.custom_fields)
    if (each.text) each.text.value = entry.custom?.[each.key] || null;
  if (session.consent_collection?.terms_of_service === "required")
    session.consent = {
      promotions: null,
      terms_of_service: entry.acceptedTerms ? "accepted" : null,
    };
  record("checkout.session.completed", session);
}

function payingCustomer(
  account: Account,
  session: Stripe.Checkout.Session,
  entry: CheckoutEntry,
): Stripe.Customer {
  const { state } = account;
  if (session.customer) {
    const customer = existingCustomer(state, idOf(session.customer));
    const before = onTheWire(customer);
    customer.email ??= entry.email;
    customer.currency ??= session.currency;
    const may = state.checkoutOrders[session.id]?.customerUpdate;
    if (may?.address === "auto" && entry.address) customer.address = entry.address;
    if (may?.name === "auto" && entry.businessName) customer.name = entry.businessName;
    if (entry.taxId) addTaxId(state, customer, entry.taxId.type, entry.taxId.value);
    if (JSON.stringify(before) !== JSON.stringify(customer))
      account.record("customer.updated", customer, before);
    return customer;
  }
  const customer = makeCustomer({
    email: entry.email,
    currency: session.currency,
    address: entry.address ?? null,
    name: entry.businessName ?? null,
  });
  state.customers[customer.id] = customer;
  if (entry.taxId) addTaxId(state, customer, entry.taxId.type, entry.taxId.value);
  account.record("customer.created", customer);
  return customer;
}

/** Gives the subscription the discounts of its session, and returns their ids. */
function redeemed(
  { state }: Account,
  session: Stripe.Checkout.Session,
  subscription: Stripe.Subscription,
): string[] {
  return (session.discounts ?? []).flatMap(({ coupon: reference, promotion_code }) => {
    const promotionCode = promotion_code
      ? (state.promotionCodes[idOf(promotion_code)] ?? null)
      : null;
    const coupon = couponOf(state, reference ?? promotionCode?.promotion.coupon ?? null);
    if (!coupon) return [];
    const redemption = { coupon, promotionCode, subscription, session: session.id };
    return [giveDiscount(state, redemption).id];
  });
}
