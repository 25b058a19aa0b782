import type Stripe from "stripe";
import * as z from "zod/mini";
import type { Configuration } from "~/configuration/configuration.server";
import { type ServiceClient, serviceClient } from "~/database/service-client.server";
import { endSubscriptions } from "./end-subscriptions.server";
import { planOfSubscription, readCatalogue } from "./product-plans.server";
import { stripeClient } from "./stripe.server";
import { cardOf, expandedInSubscriptions, timestamp, toRow } from "./subscription-record.server";
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
    stripe.customers.retrieve(customerId, { expand: ["invoice_settings.default_payment_method"] }),
    stripe.subscriptions
      .list({
        customer: customerId,
        status: "all",
        limit: 100,
        expand: [...expandedInSubscriptions],
      })
      .autoPagingToArray({ limit: 1_000 }),
  ]);
  const catalogue = await readCatalogue(stripe, configuration, subscriptions);
  const { data: recorded } = await database
    .rpc("record_subscriptions", {
      ticket,
      customer: {
        id: customerId,
        user_id: customer.deleted ? null : namedUser(customer.metadata),
        email: customer.deleted ? null : customer.email,
        created_at: customer.deleted ? null : timestamp(customer.created),
        deleted: customer.deleted ?? false,
        ...cardOf(customer.deleted ? null : customer.invoice_settings.default_payment_method),
      },
      customer_subscriptions: subscriptions.flatMap((each) => toRow(each, catalogue)),
    })
    .throwOnError();
  const ours = subscriptions.filter((each) => planOfSubscription(each, catalogue) !== "none");
  if (!recorded && ours.some(isRunning)) await endIfClosed(configuration, database, customerId);
  return new Set(subscriptions.map(({ id }) => id));
}

/** A checkout that was open while its account was deleted may still be paid: nobody may pay on. */
async function endIfClosed(
  configuration: Configuration,
  database: ServiceClient,
  customerId: string,
) {
  const { data: closed } = await database
    .from("closed_customers")
    .select("id")
    .eq("id", customerId)
    .maybeSingle()
    .throwOnError();
  if (closed) await endSubscriptions(configuration, customerId);
}

/** Metadata may be written by hand at Stripe: what is no id of a user names nobody. */
function namedUser({ user_id }: Stripe.Metadata): string | null {
  const id = z.guid().safeParse(user_id);
  return id.success ? id.data : null;
}
