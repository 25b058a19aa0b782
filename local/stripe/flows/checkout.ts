import type Stripe from "stripe";
import type { Account } from "../account.ts";
import { attachCard, existingCustomer, makeCustomer } from "../customers.ts";
import { type CardBehaviour, idOf, now, onTheWire } from "../state.ts";
import { makeSubscription } from "../subscriptions.ts";
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
export type CheckoutEntry = { email: string; card: CardBehaviour };

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
  state.subscriptions[subscription.id] = subscription;
  record("customer.subscription.created", subscription);

  const at = now();
  const invoice = draftInvoice(account, subscription, {
    reason: "subscription_create",
    at,
    periodStart: at,
  });
  finalizeInvoice(account, subscription, invoice);
  settleInvoice(account, invoice, at);
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
    address: null,
    business_name: null,
    email: customer.email ?? entry.email,
    individual_name: null,
    name: customer.name ?? null,
    phone: null,
    tax_exempt: "none",
    tax_ids: [],
  };
  record("checkout.session.completed", session);
}

function payingCustomer(
  account: Account,
  session: Stripe.Checkout.Session,
  entry: CheckoutEntry,
): Stripe.Customer {
  if (session.customer) {
    const customer = existingCustomer(account.state, idOf(session.customer));
    const before = onTheWire(customer);
    customer.email ??= entry.email;
    customer.currency ??= session.currency;
    if (JSON.stringify(before) !== JSON.stringify(customer))
      account.record("customer.updated", customer, before);
    return customer;
  }
  const customer = makeCustomer({ email: entry.email, currency: session.currency });
  account.state.customers[customer.id] = customer;
  account.record("customer.created", customer);
  return customer;
}
