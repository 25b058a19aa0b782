import type Stripe from "stripe";
import { type Account, subscriptionsOf } from "../account.ts";
import { StripeRefusal } from "../errors.ts";
import { readCard } from "../objects/cards.ts";
import { isOver } from "../objects/subscriptions.ts";
import { addTaxId, taxIdType } from "../objects/tax-ids.ts";
import { idOf, onTheWire } from "../state.ts";
import { changeSubscription } from "./change.ts";
import { timeOf } from "./change-plan.ts";
import { replaceCard } from "./payment.ts";
import { cancelAtPeriodEnd, endSubscription, payOpenInvoice } from "./time.ts";

/** What is wrong with a form of the portal, as a sentence for the person; undefined if nothing is. */
export type Problem = string | undefined;

type Visit = {
  account: Account;
  customer: Stripe.Customer;
  features: Stripe.BillingPortal.Configuration.Features;
};

/** Replaces the card by the typed one, and pays with it what is owed. */
export function changeCard({ account, customer }: Visit, number: string, expires: string): Problem {
  const card = readCard(number, expires);
  if ("declined" in card) return card.declined;
  replaceCard(account, customer, card);
  if (card.behaviour === "good")
    for (const subscription of subscriptionsOf(account, customer.id))
      if (subscription.status === "past_due") payOpenInvoice(account, subscription);
  return undefined;
}

type Details = { name: string; address: Stripe.Address; taxId: string };

/** Saves the typed details that the configuration allows to change. */
export function changeDetails({ account, customer, features }: Visit, typed: Details): Problem {
  const { enabled, allowed_updates } = features.customer_update;
  if (!enabled) return "This cannot be changed here.";
  const type = taxIdType(typed.taxId);
  if (typed.taxId !== "" && !type) return "This tax ID is invalid.";
  const before = onTheWire(customer);
  if (allowed_updates.includes("name")) customer.name = typed.name || null;
  if (allowed_updates.includes("address") && typed.address.country)
    customer.address = typed.address;
  if (JSON.stringify(before) !== JSON.stringify(customer))
    account.record("customer.updated", customer, before);
  if (allowed_updates.includes("tax_id") && type)
    addTaxId(account.state, customer, type, typed.taxId);
  return undefined;
}

/** Cancels as the configuration says: with the period, or at once. */
export function cancelInPortal(
  { account, features }: Visit,
  subscription: Stripe.Subscription,
  feedback: string,
): void {
  const { enabled, mode, cancellation_reason } = features.subscription_cancel;
  if (!enabled) return;
  const details = cancellation_reason.enabled && feedback ? { feedback } : {};
  if (mode === "at_period_end") cancelAtPeriodEnd(account, subscription, true, details);
  else endSubscription(account, subscription, timeOf(subscription));
}

/** Changes a plan to one of the configuration's prices, charged as it says. */
export function changePlanInPortal(
  { account, features }: Visit,
  subscription: Stripe.Subscription,
  priceId: string,
): Problem {
  const { enabled, products, proration_behavior } = features.subscription_update;
  const offered = (products ?? []).some(({ prices }) => prices.includes(priceId));
  const price = account.state.prices[priceId];
  const [item] = subscription.items.data;
  if (!enabled || !offered || !price || !item) return "This plan cannot be chosen here.";
  const behaviors = ["always_invoice", "create_prorations", "none"] as const;
  const behavior = behaviors.find((each) => each === proration_behavior) ?? "none";
  try {
    changeSubscription(account, subscription, {
      items: [{ id: item.id, price, quantity: item.quantity ?? 1 }],
      prorationBehavior: behavior,
      paymentBehavior: "error_if_incomplete",
      metadata: null,
      cancelAtPeriodEnd: null,
    });
  } catch (error) {
    if (error instanceof StripeRefusal) return error.body.message;
    throw error;
  }
  return undefined;
}

/** The customer's own subscription that a form names, if it still runs. */
export function customerSubscription(
  { account, customer }: Visit,
  id: string | null,
): Stripe.Subscription | undefined {
  const subscription = account.state.subscriptions[id ?? ""];
  const isOwn = subscription && idOf(subscription.customer) === customer.id;
  return isOwn && !isOver(subscription) ? subscription : undefined;
}
