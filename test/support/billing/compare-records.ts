import { isDeepStrictEqual } from "node:util";
import type Stripe from "stripe";
import { database } from "../database/database.ts";
import {
  asStripeSaysIt,
  customerOf,
  expandedForRecords,
  inSeconds,
  plansOfProducts,
} from "./records.ts";
import { stripe } from "./stripe-account.ts";

type StripeRecord = { email: string | null; subscriptions: object[] };

/**
 * Everybody of whom Stripe and our records say different things, each with both. A customer who was
 * deleted at Stripe is one without an address there.
 */
export async function differingCustomers() {
  const [atStripe, recorded] = await Promise.all([stripeRecords(), recordedHere()]);
  const nobody = { email: null, subscriptions: [] };
  return [...new Set([...atStripe.keys(), ...recorded.keys()])].flatMap((id) => {
    const [stripeSays, weSay] = [atStripe.get(id) ?? nobody, recorded.get(id)];
    return isDeepStrictEqual(stripeSays, weSay) ? [] : [{ id, stripeSays, weSay }];
  });
}

async function stripeRecords(): Promise<Map<string, StripeRecord>> {
  const everybody = new Map<string, StripeRecord>();
  for await (const { id, email } of stripe.customers.list({ limit: 100 })) {
    everybody.set(id, { email, subscriptions: [] });
  }
  const subscriptions: Stripe.Subscription[] = [];
  for await (const each of stripe.subscriptions.list({
    status: "all",
    limit: 100,
    expand: [...expandedForRecords],
  })) {
    subscriptions.push(each);
  }
  const plans = await plansOfProducts();
  for (const each of subscriptions.toSorted(byId)) {
    const id = customerOf(each);
    const record = everybody.get(id) ?? { email: null, subscriptions: [] };
    record.subscriptions.push(asStripeSaysIt(each, plans));
    everybody.set(id, record);
  }
  return everybody;
}

async function recordedHere(): Promise<Map<string, StripeRecord>> {
  const customers = await everyRow((from, to) =>
    database.from("customers").select("*").order("id").range(from, to).throwOnError(),
  );
  const subscriptions = await everyRow((from, to) =>
    database.from("subscriptions").select("*").order("id").range(from, to).throwOnError(),
  );
  const everybody = new Map<string, StripeRecord>(
    customers.map(({ id, email }) => [id, { email, subscriptions: [] }]),
  );
  for (const row of subscriptions.toSorted(byId)) {
    everybody.get(row.customer_id)?.subscriptions.push(inSeconds(row));
  }
  return everybody;
}

/** The database answers at most a thousand rows at once. */
async function everyRow<Row>(
  read: (from: number, to: number) => PromiseLike<{ data: Row[] }>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const { data } = await read(rows.length, rows.length + 999);
    rows.push(...data);
    if (data.length < 1_000) return rows;
  }
}

function byId(one: { id: string }, other: { id: string }): number {
  return one.id < other.id ? -1 : 1;
}
