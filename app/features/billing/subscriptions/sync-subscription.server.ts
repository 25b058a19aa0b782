import Stripe from "stripe";
import * as z from "zod/mini";
import { type ServiceClient, serviceClient } from "~/platform/database/service-client.server";
import type { Configuration } from "~/platform/env/configuration.server";
import { describeError, log } from "~/platform/log/log.server";
import { queueOperatorMail } from "../mails/operator-mail.server";
import { defaultMethodOf, methodColumns } from "../prices/payment-methods";
import { planOfSubscription, readCatalogue } from "../prices/product-plans.server";
import { isMissing, stripeClient, unlessMissing } from "../stripe/stripe.server";
import { refundClosedCheckouts } from "./closed-checkout.server";
import { endSubscriptions } from "./end-subscriptions.server";
import { expandedInSubscriptions, timestamp, toRow } from "./subscription-record.server";
import { isOpen } from "./subscription-words";
import { endUnpaidOrders } from "./transfer-orders.server";

/**
 * Reads one Stripe customer and their subscriptions from Stripe and writes them into our tables. It uses
 * nothing of an event or a URL but the customer's id, so it may be called at any time and in any order.
 * Returns the ids of the subscriptions that Stripe has, or "unknown" when Stripe does not know the customer.
 * In that case no row is removed, but the customer's subscriptions give no rights until a later sync finds
 * the customer. Throws when Stripe or the database does not answer.
 */
export async function syncSubscription(
  configuration: Configuration,
  customerId: string,
): Promise<ReadonlySet<string> | "unknown"> {
  return (await readCustomerAgain(configuration, customerId)).atStripe;
}

/**
 * Syncs the customers of a workspace after somebody else has become its billing contact, so that Stripe writes to them
 * from now on. A failure is logged and not thrown: the reconciliation compares the addresses too.
 */
export async function syncWorkspace(
  configuration: Configuration,
  workspace: string,
): Promise<void> {
  try {
    const { data } = await serviceClient(configuration)
      .from("customers")
      .select("id")
      .eq("workspace_id", workspace)
      .is("missing_since", null)
      .throwOnError();
    await Promise.all(data.map(({ id }) => syncSubscription(configuration, id)));
  } catch (error) {
    log.error("An address did not reach Stripe", describeError(error));
  }
}

/** As `syncSubscription`, with the number of requests, not counting those that end plans of a closed customer. */
export async function readCustomerAgain(
  configuration: Configuration,
  customerId: string,
): Promise<{ atStripe: ReadonlySet<string> | "unknown"; hasPlan: boolean; requests: number }> {
  const stripe = stripeClient(configuration);
  const database = serviceClient(configuration);
  // The ticket is drawn before Stripe is read. Of two syncs at once the database keeps the one that began later.
  const { ticket, ...contact } = await beginSync(database, customerId);
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
    return { atStripe: "unknown", hasPlan: false, requests: 4 };
  }
  // For a deleted customer Stripe may refuse the list; all subscriptions of a deleted customer have ended.
  if (!listed && !customer.deleted) throw new Error("Stripe lists no subscriptions of a customer");
  const subscriptions = listed ?? [];
  // What ends here is recorded when Stripe reports it, or by the next sync.
  const orders = await endUnpaidOrders(stripe, subscriptions);
  for (const data of orders.partlyPaid)
    await queueOperatorMail(database, `partly-paid:${data.invoice}`, { kind: "partly-paid", data });
  const catalogue = await readCatalogue(stripe, configuration, subscriptions);
  const stripeAddress = customer.deleted
    ? { email: null, refused_address: null }
    : await sendAddress(stripe, customer, contact);
  const { data: recorded } = await database
    .rpc("record_subscriptions", {
      ticket,
      customer: {
        id: customerId,
        user_id: customer.deleted ? null : guid(customer.metadata.user_id),
        workspace_id: customer.deleted ? null : guid(customer.metadata.workspace_id),
        ...stripeAddress,
        created_at: customer.deleted ? null : timestamp(customer.created),
        deleted: customer.deleted ?? false,
        ...methodColumns(defaultMethodOf(customer)),
      },
      customer_subscriptions: subscriptions.flatMap((each) => toRow(each, catalogue)),
    })
    .throwOnError();
  const open = subscriptions.filter(
    (each) => isOpen(each) && planOfSubscription(each, catalogue) !== "none",
  );
  if (!recorded && open.length > 0) {
    await endIfClosed(configuration, database, customerId, open);
  }
  return {
    atStripe: new Set(subscriptions.map(({ id }) => id)),
    hasPlan: open.length > 0,
    // Four: ticket, customer, subscriptions, record. Then the catalogue, the address, and further pages.
    requests:
      4 +
      catalogue.requests +
      orders.requests +
      ("refused_address" in stripeAddress ? 1 : 0) +
      Math.floor(Math.max(subscriptions.length - 1, 0) / 100),
  };
}

const begun = z.object({
  ticket: z.number(),
  /** The confirmed address of the workspace's billing contact. */
  address: z.nullable(z.string()),
  /** The address at Stripe that gives way to it. Any other was set by a person, and stays. */
  followed: z.nullable(z.string()),
});
type Contact = Omit<z.output<typeof begun>, "ticket">;

/** Draws a ticket. Also returns what decides which e-mail address the customer should have. */
async function beginSync(database: ServiceClient, customerId: string) {
  const { data } = await database
    .rpc("begin_customer_sync", { of_customer: customerId })
    .throwOnError();
  return begun.parse(data);
}

/**
 * Refunds and ends the plans of a customer whose account was deleted. A checkout that was open at that time can
 * still be paid afterwards, and nobody could use what was paid for.
 */
async function endIfClosed(
  configuration: Configuration,
  database: ServiceClient,
  customerId: string,
  open: readonly Stripe.Subscription[],
) {
  const { data: closed } = await database
    .from("closed_customers")
    .select("closed_at")
    .eq("id", customerId)
    .maybeSingle()
    .throwOnError();
  if (!closed) return;
  await refundClosedCheckouts(configuration, closed.closed_at, open);
  await endSubscriptions(configuration, customerId);
}

/** An id in a customer's metadata; null for anything else, since people can edit metadata at Stripe. */
function guid(value: string | undefined): string | null {
  const id = z.guid().safeParse(value);
  return id.success ? id.data : null;
}

/**
 * The e-mail address that Stripe has now, and the one that it refused (null for none). `refused_address` is left
 * out when nothing was sent to Stripe.
 */
type StripeAddress = { email: string | null; refused_address?: string | null };

/**
 * Sends the billing contact's confirmed address to Stripe, which mails receipts and reminders there, if the address
 * there followed the contact's and is another one now. Upper and lower case do not count. An address that Stripe refuses
 * is logged and returned, so that it is stored and not sent again. Throws when Stripe does not answer.
 */
async function sendAddress(
  stripe: Stripe,
  { id, email }: Pick<Stripe.Customer, "id" | "email">,
  { address: confirmed, followed }: Contact,
): Promise<StripeAddress> {
  const present = email?.toLowerCase();
  if (!confirmed || confirmed.toLowerCase() === present) return { email };
  if (followed?.toLowerCase() !== present) return { email };
  try {
    const updated = await stripe.customers.update(id, { email: confirmed });
    return { email: updated.email, refused_address: null };
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    log.warn("Stripe did not take an address", { customer: id, ...describeError(error) });
    return isMissing(error) ? { email } : { email, refused_address: confirmed };
  }
}
