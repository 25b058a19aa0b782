import type { User } from "@supabase/supabase-js";
import type Stripe from "stripe";
import type { ServiceClient } from "~/platform/database/service-client.server";
import { fingerprint, idempotencyKey } from "../stripe/idempotency-key";
import { unlessMissing } from "../stripe/stripe.server";
import { timestamp } from "./subscription-record.server";

export type AccountHolder = { id: string; email: string; emailVerified: boolean };

/** The same of somebody whom the auth server has just let in. */
export function accountHolder({ id, email, email_confirmed_at }: User): AccountHolder {
  return { id, email: email ?? "", emailVerified: Boolean(email_confirmed_at) };
}

/**
 * The Stripe customers of a person: their account's, and those of guest purchases they claimed.
 * Throws when the database does not answer.
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
 * The Stripe customers of a person that Stripe knew when we last asked: what a portal can be opened for.
 * Throws when the database does not answer.
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
 * The one Stripe customer of a person's account, made on first use, and again where Stripe has deleted it
 * or does not know it. Requests that race get the same one: Stripe answers the same idempotency key with
 * the same customer, and the database holds only one account customer per person.
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

/** One that Stripe made and whose answer was lost: longer ago than an idempotency key is good for. */
async function lostCustomer(stripe: Stripe, { id, email }: AccountHolder) {
  const { data } = await stripe.customers.list({ email, limit: 100 });
  return data.find(({ metadata }) => metadata.user_id === id);
}

/**
 * A customer that was deleted at Stripe can buy nothing; what it bought stays its owner's. One that Stripe
 * does not know counts for nothing from here on.
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
