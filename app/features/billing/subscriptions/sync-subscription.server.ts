import type Stripe from "stripe";
import * as z from "zod/mini";
import { type ServiceClient, serviceClient } from "~/platform/database/service-client.server";
import type { Configuration } from "~/platform/env/configuration.server";
import { planOfSubscription, readCatalogue } from "../prices/product-plans.server";
import { stripeClient, unlessMissing } from "../stripe/stripe.server";
import { endSubscriptions } from "./end-subscriptions.server";
import { refundLateCheckouts } from "./late-checkout.server";
import { tellAddress } from "./stripe-address.server";
import { cardOf, expandedInSubscriptions, timestamp, toRow } from "./subscription-record.server";
import { isOpen } from "./subscription-words";

/**
 * Makes our record of one Stripe customer equal to what Stripe says now. Nothing from an event or a
 * URL is believed, so it may be called at any time, by anybody, in any order. Answers the ids of the
 * subscriptions that Stripe has, or that it does not know the customer: then nothing is removed, and the
 * customer's subscriptions count for nothing until a later read. Throws when Stripe or the database does
 * not answer.
 */
export async function syncSubscription(
  configuration: Configuration,
  customerId: string,
): Promise<ReadonlySet<string> | "unknown"> {
  return (await readCustomerAgain(configuration, customerId)).atStripe;
}

/** The same, and how many requests it took, besides what ends the plans of a closed customer. */
export async function readCustomerAgain(
  configuration: Configuration,
  customerId: string,
): Promise<{ atStripe: ReadonlySet<string> | "unknown"; requests: number }> {
  const stripe = stripeClient(configuration);
  const database = serviceClient(configuration);
  // The ticket comes before the read: of two reads that race, the one that began later is kept.
  const { ticket, address } = await beginSync(database, customerId);
  const [customer, listed] = await Promise.all([
    unlessMissing(
      stripe.customers.retrieve(customerId, {
        expand: ["invoice_settings.default_payment_method"],
      }),
    ),
    unlessMissing(
      stripe.subscriptions
        .list({
          customer: customerId,
          status: "all",
          limit: 100,
          expand: [...expandedInSubscriptions],
        })
        .autoPagingToArray({ limit: 1_000 }),
    ),
  ]);
  if (!customer) {
    await database.rpc("note_missing_customer", { ticket, of_customer: customerId }).throwOnError();
    return { atStripe: "unknown", requests: 4 };
  }
  // Of a customer that was deleted Stripe may list nothing any more: all of it has ended.
  if (!listed && !customer.deleted) throw new Error("Stripe lists no subscriptions of a customer");
  const subscriptions = listed ?? [];
  const catalogue = await readCatalogue(stripe, configuration, subscriptions);
  const told = customer.deleted
    ? { email: null, refused_address: null }
    : await tellAddress(stripe, customer, address);
  const { data: recorded } = await database
    .rpc("record_subscriptions", {
      ticket,
      customer: {
        id: customerId,
        user_id: customer.deleted ? null : namedUser(customer.metadata),
        ...told,
        created_at: customer.deleted ? null : timestamp(customer.created),
        deleted: customer.deleted ?? false,
        ...cardOf(customer.deleted ? null : customer.invoice_settings.default_payment_method),
      },
      customer_subscriptions: subscriptions.flatMap((each) => toRow(each, catalogue)),
    })
    .throwOnError();
  const running = subscriptions.filter(
    (each) => isOpen(each) && planOfSubscription(each, catalogue) !== "none",
  );
  if (!recorded && running.length > 0) {
    await endIfClosed(configuration, database, customerId, running);
  }
  return {
    atStripe: new Set(subscriptions.map(({ id }) => id)),
    // Ticket, customer, subscriptions, record, the address, and each further page of subscriptions.
    requests:
      4 +
      catalogue.requests +
      ("refused_address" in told ? 1 : 0) +
      Math.floor(Math.max(subscriptions.length - 1, 0) / 100),
  };
}

const begun = z.object({ ticket: z.number(), address: z.nullable(z.string()) });

/** A ticket, and the address that the customer's account has confirmed, if it belongs to one. */
async function beginSync(database: ServiceClient, customerId: string) {
  const { data } = await database
    .rpc("begin_customer_sync", { of_customer: customerId })
    .throwOnError();
  return begun.parse(data);
}

/** A checkout that was open while its account was deleted may still be paid: nobody may pay for nothing. */
async function endIfClosed(
  configuration: Configuration,
  database: ServiceClient,
  customerId: string,
  running: readonly Stripe.Subscription[],
) {
  const { data: closed } = await database
    .from("closed_customers")
    .select("closed_at")
    .eq("id", customerId)
    .maybeSingle()
    .throwOnError();
  if (!closed) return;
  await refundLateCheckouts(configuration, closed.closed_at, running);
  await endSubscriptions(configuration, customerId);
}

/** Metadata may be written by hand at Stripe: what is no id of a user names nobody. */
function namedUser({ user_id }: Stripe.Metadata): string | null {
  const id = z.guid().safeParse(user_id);
  return id.success ? id.data : null;
}
