import Stripe from "stripe";
import { isOver } from "./subscription-words";

/**
 * Ends every subscription of a customer now and closes every checkout that could start another. Safe
 * to repeat; a customer that Stripe has deleted has none left. Throws when Stripe does not answer.
 */
export async function endSubscriptions(stripe: Stripe, customer: string): Promise<void> {
  try {
    if ((await stripe.customers.retrieve(customer)).deleted) return;
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  const sessions = await stripe.checkout.sessions
    .list({ customer, limit: 100 })
    .autoPagingToArray({ limit: 1_000 });
  for (const { id, status } of sessions) {
    if (status === "open") await unlessOver(stripe.checkout.sessions.expire(id));
  }
  for (const { id } of await openSubscriptions(stripe, customer)) {
    await unlessOver(stripe.subscriptions.cancel(id));
  }
  if ((await openSubscriptions(stripe, customer)).length > 0) {
    throw new Error("Stripe did not end a subscription");
  }
}

async function openSubscriptions(stripe: Stripe, customer: string): Promise<Stripe.Subscription[]> {
  const subscriptions = await stripe.subscriptions
    .list({ customer, status: "all", limit: 100 })
    .autoPagingToArray({ limit: 1_000 });
  return subscriptions.filter((subscription) => !isOver(subscription));
}

/** A checkout or subscription that ended a moment ago has ended all the same. */
async function unlessOver(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
  }
}

/** Whether Stripe answered that it has nothing with this id. */
export function isMissing(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing"
  );
}
