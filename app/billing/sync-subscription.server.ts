import type Stripe from "stripe";
import * as z from "zod/mini";
import type { Configuration } from "~/configuration/configuration.server";
import { type ServiceClient, serviceClient } from "~/database/service-client.server";
import { endSubscriptions } from "./end-subscriptions.server";
import { stripeClient } from "./stripe.server";
import { isRunning } from "./subscription-words";

/**
 * Makes our record of one Stripe customer equal to what Stripe says now. Nothing from an event or a
 * URL is believed, so it may be called at any time, by anybody, in any order. Answers the ids of the
 * subscriptions that Stripe has. Throws when Stripe or the database does not answer.
 */
export async function syncSubscription(
  configuration: Configuration,
  customerId: string,
): Promise<ReadonlySet<string>> {
  const stripe = stripeClient(configuration);
  const database = serviceClient(configuration);
  // The ticket comes before the read: of two reads that race, the one that began later is kept.
  const { data: ticket } = await database.rpc("take_sync_ticket").throwOnError();
  const [customer, subscriptions] = await Promise.all([
    stripe.customers.retrieve(customerId),
    stripe.subscriptions
      .list({ customer: customerId, status: "all", limit: 100 })
      .autoPagingToArray({ limit: 1_000 }),
  ]);
  const { data: recorded } = await database
    .rpc("record_subscriptions", {
      ticket,
      customer: {
        id: customerId,
        user_id: customer.deleted ? null : namedUser(customer.metadata),
        email: customer.deleted ? null : customer.email,
        created_at: customer.deleted ? null : timestamp(customer.created),
      },
      customer_subscriptions: subscriptions.flatMap(toRow),
    })
    .throwOnError();
  if (!recorded && subscriptions.some(isRunning)) await endIfClosed(stripe, database, customerId);
  return new Set(subscriptions.map(({ id }) => id));
}

/** A checkout that was open while its account was deleted may still be paid: nobody may pay on. */
async function endIfClosed(stripe: Stripe, database: ServiceClient, customerId: string) {
  const { data: closed } = await database
    .from("closed_customers")
    .select("id")
    .eq("id", customerId)
    .maybeSingle()
    .throwOnError();
  if (closed) await endSubscriptions(stripe, customerId);
}

/** Metadata may be written by hand at Stripe: what is no id of a user names nobody. */
function namedUser({ user_id }: Stripe.Metadata): string | null {
  const id = z.guid().safeParse(user_id);
  return id.success ? id.data : null;
}

/** A subscription as our table has it; none when nothing is sold with it. */
export function toRow(subscription: Stripe.Subscription) {
  const [item] = subscription.items.data;
  if (!item) return [];
  const { cancel_at, cancel_at_period_end } = subscription;
  return {
    id: subscription.id,
    status: subscription.status,
    price_id: item.price.id,
    unit_amount: item.price.unit_amount,
    currency: item.price.currency,
    billing_interval: item.price.recurring?.interval ?? "once",
    current_period_end: timestamp(item.current_period_end),
    cancel_at: timestamp(cancel_at ?? (cancel_at_period_end ? item.current_period_end : null)),
    ended_at: timestamp(subscription.ended_at),
    created_at: timestamp(subscription.created),
  };
}

/** Stripe's seconds since 1970 as a database timestamp. */
export function timestamp(seconds: number): string;
export function timestamp(seconds: number | null): string | null;
export function timestamp(seconds: number | null): string | null {
  return seconds === null ? null : new Date(seconds * 1_000).toISOString();
}
