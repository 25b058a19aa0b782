import type { User } from "@supabase/supabase-js";
import type Stripe from "stripe";
import type { ServiceClient } from "~/platform/database/service-client.server";
import { fingerprint, idempotencyKey } from "../stripe/idempotency-key";
import { unlessMissing } from "../stripe/stripe.server";
import { timestamp } from "./subscription-record.server";

export type AccountHolder = { id: string; email: string; emailVerified: boolean };

/** The account holder of a user, as the auth server returns one. */
export function accountHolder({ id, email, email_confirmed_at }: User): AccountHolder {
  return { id, email: email ?? "", emailVerified: Boolean(email_confirmed_at) };
}

/**
 * The ids of a person's Stripe customers: the customer of their account, and those of guest purchases that they
 * claimed. Throws when the database does not answer.
 */
export async function customersOf(database: ServiceClient, userId: string): Promise<string[]> {
  const { data } = await database
    .from("customers")
    .select("id")
    .eq("user_id", userId)
    .order("created_at")
    .throwOnError();
  return data.map(({ id }) => id);
}

/**
 * As `customersOf`, without customers that Stripe did not know at the last sync. The portal can be opened for
 * these. Throws when the database does not answer.
 */
export async function knownCustomersOf(database: ServiceClient, userId: string): Promise<string[]> {
  const { data } = await database
    .from("customers")
    .select("id")
    .eq("user_id", userId)
    .is("missing_since", null)
    .order("created_at")
    .throwOnError();
  return data.map(({ id }) => id);
}

/**
 * The id of the Stripe customer of a person's account. The customer is created on first use, and again when
 * Stripe has deleted it or does not know it. Two requests at once get the same one: Stripe returns the same
 * customer for the same idempotency key, and the database allows one account customer for each person. Throws
 * when Stripe or the database does not answer.
 */
export async function ensureCustomer(
  stripe: Stripe,
  database: ServiceClient,
  holder: AccountHolder,
): Promise<string> {
  const known = await accountCustomer(database, holder.id);
  const found = known && (await unlessMissing(stripe.customers.retrieve(known)));
  if (known && found && !found.deleted) return known;
  if (known) await retire(database, known, found ? undefined : "unknown");
  const lost = await lostCustomer(stripe, holder);
  const occasion = `${holder.id}-${await fingerprint(holder.email)}${known ? `-after-${known}` : ""}`;
  const customer =
    lost ??
    (await stripe.customers.create(
      { email: holder.email, metadata: { user_id: holder.id } },
      { idempotencyKey: idempotencyKey(`customer-${occasion}`) },
    ));
  const { error } = await database.from("customers").insert({
    id: customer.id,
    user_id: holder.id,
    origin: "account",
    email: holder.email,
    stripe_created_at: timestamp(customer.created),
  });
  if (error && error.code !== uniqueViolation) throw error;
  return (await accountCustomer(database, holder.id)) ?? customer.id;
}

/** A customer that Stripe created although we never got the answer, before the idempotency key changed. */
async function lostCustomer(stripe: Stripe, { id, email }: AccountHolder) {
  const { data } = await stripe.customers.list({ email, limit: 100 });
  return data.find(({ metadata }) => metadata.user_id === id);
}

/**
 * Makes room for a new account customer. A customer that was deleted at Stripe keeps its subscriptions and its
 * owner, but nothing is bought with it any more. One that Stripe does not know gives no rights from now on.
 */
async function retire(database: ServiceClient, customerId: string, why?: "unknown"): Promise<void> {
  const missing = why ? { missing_since: new Date().toISOString() } : {};
  await database
    .from("customers")
    .update({ origin: "guest", ...missing })
    .eq("id", customerId)
    .throwOnError();
}

const uniqueViolation = "23505";

async function accountCustomer(database: ServiceClient, userId: string) {
  const { data } = await database
    .from("customers")
    .select("id")
    .eq("user_id", userId)
    .eq("origin", "account")
    .maybeSingle()
    .throwOnError();
  return data?.id;
}
