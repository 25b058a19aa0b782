import type { User } from "@supabase/supabase-js";
import type Stripe from "stripe";
import * as z from "zod/mini";
import type { ServiceClient } from "~/platform/database/service-client.server";
import { fingerprint, idempotencyKey } from "../stripe/idempotency-key";
import { unlessMissing } from "../stripe/stripe.server";
import { timestamp } from "./subscription-record.server";

export type AccountHolder = { id: string; email: string; emailVerified: boolean };

/** Who acts, and for which workspace. It is null when the database did not say which. */
export type Holder = { person: AccountHolder; workspace: { id: string } | null };

/** The account holder of a user, as the auth server returns one. */
export function accountHolder({ id, email, email_confirmed_at }: User): AccountHolder {
  return { id, email: email ?? "", emailVerified: Boolean(email_confirmed_at) };
}

const customerRows = z.array(z.object({ id: z.string(), missing: z.boolean() }));

/**
 * The ids of the Stripe customers of a workspace: the one that it buys with, and those of guest purchases that were
 * claimed. None for somebody who may not do its billing. Throws when the database does not answer.
 */
export async function customersOf(database: ServiceClient, holder: Holder): Promise<string[]> {
  return (await rowsOf(database, holder)).map(({ id }) => id);
}

/**
 * As `customersOf`, without customers that Stripe did not know at the last sync. The portal can be opened for
 * these. Throws when the database does not answer.
 */
export async function existingCustomersOf(
  database: ServiceClient,
  holder: Holder,
): Promise<string[]> {
  return (await rowsOf(database, holder)).flatMap(({ id, missing }) => (missing ? [] : id));
}

async function rowsOf(database: ServiceClient, { person, workspace }: Holder) {
  const { data } = await database
    .rpc("customers_of", { person: person.id, workspace: idOrThrow(workspace) })
    .throwOnError();
  return customerRows.parse(data);
}

function idOrThrow(workspace: { id: string } | null): string {
  if (!workspace) throw new Error("The workspace could not be read");
  return workspace.id;
}

/**
 * The id of the Stripe customer that a workspace buys with. The customer is created on first use, and again when
 * Stripe has deleted it or does not know it. Two requests at once get the same one, also of two members: Stripe
 * returns the same customer for the same idempotency key, and the database allows one such customer for each workspace.
 * Throws when Stripe or the database does not answer, and for somebody who may not do the billing.
 */
export async function ensureCustomer(
  stripe: Stripe,
  database: ServiceClient,
  holder: Holder,
): Promise<string> {
  const workspace = idOrThrow(holder.workspace);
  const { id: existing, account, address } = await buyingCustomer(database, holder);
  const found = existing && (await unlessMissing(stripe.customers.retrieve(existing)));
  if (existing && found && !found.deleted) return existing;
  if (existing) await retire(database, existing, found ? undefined : "unknown");
  const email = address ?? holder.person.email;
  const metadata = { ...(account && { user_id: account }), workspace_id: workspace };
  const lost = await lostCustomer(stripe, database, { email, account, workspace });
  const occasion = `${workspace}-${await fingerprint(email)}${existing ? `-after-${existing}` : ""}`;
  const customer =
    lost ??
    (await stripe.customers.create(
      { email, metadata },
      { idempotencyKey: idempotencyKey(`customer-of-${occasion}`) },
    ));
  const { error } = await database.from("customers").insert({
    id: customer.id,
    workspace_id: workspace,
    origin: "account",
    email,
    stripe_created_at: timestamp(customer.created),
  });
  if (error && error.code !== uniqueViolation) throw error;
  return (await buyingCustomer(database, holder)).id ?? customer.id;
}

/** A customer that Stripe created although we never got the answer, before the idempotency key changed. */
async function lostCustomer(
  stripe: Stripe,
  database: ServiceClient,
  { email, account, workspace }: { email: string; account: string | null; workspace: string },
) {
  const { data } = await stripe.customers.list({ email, limit: 100 });
  const named = data.filter(({ metadata: { workspace_id, user_id } }) =>
    // Customers of the version before this one name their person only.
    workspace_id ? workspace_id === workspace : user_id && user_id === account,
  );
  if (named.length === 0) return;
  // One that was made for a workspace which its person has handed over since belongs there.
  const { data: others } = await database
    .from("customers")
    .select("id")
    .in(
      "id",
      named.map(({ id }) => id),
    )
    .neq("workspace_id", workspace)
    .throwOnError();
  return named.find(({ id }) => !others.some((other) => other.id === id));
}

/**
 * Makes room for a new customer to buy with. A customer that was deleted at Stripe keeps its subscriptions and its
 * workspace, but nothing is bought with it any more. One that Stripe does not know gives no rights from now on.
 */
async function retire(database: ServiceClient, customerId: string, why?: "unknown"): Promise<void> {
  const missing = why ? { missing_since: new Date().toISOString() } : {};
  await database
    .from("customers")
    .update({ origin: "guest", ...missing })
    .eq("id", customerId)
    .throwOnError();
}

/** The customer that the workspace buys with, without creating one. Throws like `ensureCustomer`. */
export async function buyingCustomerId(
  database: ServiceClient,
  holder: Holder,
): Promise<string | null> {
  return (await buyingCustomer(database, holder)).id;
}

/** The confirmed address of the workspace's billing contact; null without one. Throws like `ensureCustomer`. */
export async function billingContactOf(
  database: ServiceClient,
  holder: Holder,
): Promise<string | null> {
  return (await buyingCustomer(database, holder)).address;
}

const uniqueViolation = "23505";

const buying = z.object({
  id: z.nullable(z.string()),
  account: z.nullable(z.string()),
  address: z.nullable(z.string()),
});

/** The customer that a workspace buys with, and what a new one is given. */
async function buyingCustomer(database: ServiceClient, { person, workspace }: Holder) {
  const { data } = await database
    .rpc("buying_customer", { person: person.id, workspace: idOrThrow(workspace) })
    .throwOnError();
  if (!data) throw new Error("Somebody may not do the billing of this workspace");
  return buying.parse(data);
}
