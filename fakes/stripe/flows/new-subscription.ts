import type Stripe from "stripe";
import type { Account } from "../account.ts";
import { cardFor } from "../objects/customers.ts";
import { makeSubscription } from "../objects/subscriptions.ts";
import { refusalOf } from "../rules/rules.ts";
import { now } from "../state.ts";
import { chargeInvoice, draftInvoice, finalizeInvoice, updateSubscription } from "./payment.ts";

/**
 * A subscription that the API is asked for, not the checkout. Its first invoice is charged at once; while that is not
 * paid, it is incomplete. https://docs.stripe.com/api/subscriptions/create
 */
export function subscribe(
  account: Account,
  terms: Parameters<typeof makeSubscription>[0],
): Stripe.Subscription {
  const { state, record } = account;
  const subscription = makeSubscription(terms);
  if (subscription.collection_method === "send_invoice")
    return subscribeByInvoice(account, subscription);
  if (!cardFor(state, subscription)) throw refusalOf("subscription-without-a-card");
  state.subscriptions[subscription.id] = subscription;
  record("customer.subscription.created", subscription);
  const at = now();
  const invoice = draftInvoice(account, subscription, {
    reason: "subscription_create",
    at,
    periodStart: at,
  });
  finalizeInvoice(account, subscription, invoice);
  const outcome = chargeInvoice(account, subscription, invoice, { at });
  if (outcome === "paid")
    updateSubscription(account, subscription, (each) => {
      each.status = "active";
    });
  return subscription;
}

/**
 * One that is paid by invoice is active at once. Its first invoice is a draft for an hour, and then sent.
 * https://docs.stripe.com/billing/collection-method
 */
function subscribeByInvoice(
  account: Account,
  subscription: Stripe.Subscription,
): Stripe.Subscription {
  subscription.status = "active";
  account.state.subscriptions[subscription.id] = subscription;
  account.record("customer.subscription.created", subscription);
  const at = now();
  draftInvoice(account, subscription, { reason: "subscription_create", at, periodStart: at });
  return subscription;
}
