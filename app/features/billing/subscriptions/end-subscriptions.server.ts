import Stripe from "stripe";
import type { Configuration } from "~/platform/env/configuration.server";
import { planOfSubscription, readCatalogue } from "../prices/product-plans.server";
import { stripeClient, unlessMissing } from "../stripe/stripe.server";
import { isOver } from "./subscription-words";

/**
 * Ends every subscription of a customer to our plans at once, and expires every checkout that could start another
 * one. Subscriptions to other products of the same Stripe account are left alone. It may be repeated. Does nothing
 * for a customer that Stripe has deleted or does not know. Throws when Stripe does not answer.
 */
export async function endSubscriptions(
  configuration: Configuration,
  customer: string,
): Promise<void> {
  const stripe = stripeClient(configuration);
  const found = await unlessMissing(stripe.customers.retrieve(customer));
  if (!found || found.deleted) return;
  const sessions = await stripe.checkout.sessions
    .list({ customer, limit: 100 })
    .autoPagingToArray({ limit: 1_000 });
  for (const { id, status } of sessions) {
    if (status === "open") await unlessOver(stripe.checkout.sessions.expire(id));
  }
  for (const { id } of await openSubscriptions(stripe, configuration, customer)) {
    await unlessOver(stripe.subscriptions.cancel(id));
  }
  if ((await openSubscriptions(stripe, configuration, customer)).length > 0) {
    throw new Error("Stripe did not end a subscription");
  }
}

async function openSubscriptions(
  stripe: Stripe,
  configuration: Configuration,
  customer: string,
): Promise<Stripe.Subscription[]> {
  const subscriptions = await stripe.subscriptions
    .list({ customer, status: "all", limit: 100 })
    .autoPagingToArray({ limit: 1_000 });
  const open = subscriptions.filter((subscription) => !isOver(subscription));
  const catalogue = await readCatalogue(stripe, configuration, open);
  return open.filter((each) => planOfSubscription(each, catalogue) !== "none");
}

/** Ignores the refusal of a checkout or subscription that had ended a moment before. */
async function unlessOver(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
  }
}
