import type Stripe from "stripe";
import { expect } from "vitest";
import { pauseMark } from "../../../app/features/billing/subscriptions/pause.server.ts";
import type { SubscriptionRow } from "../../../app/features/billing/subscriptions/price-words.ts";
import { database } from "../database/database.ts";
import { stripe } from "./stripe-account.ts";

function seconds(timestamp: string | null): number | null {
  return timestamp === null ? null : Date.parse(timestamp) / 1000;
}

/** What a list of subscriptions must expand for `asStripeSaysIt`. */
export const expandedForRecords = [
  "data.schedule",
  "data.default_payment_method",
  "data.customer.invoice_settings.default_payment_method",
];

/** The customer of a subscription, read with or without `expandedForRecords`. */
export function customerOf({ customer }: Stripe.Subscription): string {
  return typeof customer === "string" ? customer : customer.id;
}

/** What pays a subscription: its own method, or else its customer's. */
function methodOf({ customer, default_payment_method }: Stripe.Subscription) {
  if (default_payment_method || typeof customer === "string" || customer.deleted)
    return default_payment_method;
  return customer.invoice_settings.default_payment_method;
}

/** The plan in the metadata of each product, by the product's id. */
export async function plansOfProducts(): Promise<ReadonlyMap<string, string>> {
  const products = await stripe.products.list({ limit: 100 }).autoPagingToArray({ limit: 1_000 });
  return new Map(products.map(({ id, metadata }) => [id, metadata.plan ?? "none"]));
}

/** Stripe's status, or that a customer's pause has begun, which Stripe has no status for. */
export function statusOf({
  status,
  metadata,
  pause_collection,
  items,
}: Stripe.Subscription): string {
  const from = Number(metadata[pauseMark]);
  const isPaused = from > 0 && (items.data[0]?.current_period_start ?? 0) >= from;
  return status === "active" && pause_collection && isPaused ? "paused" : status;
}

/** A subscription as our table should have it, with times as Stripe counts them. */
export function asStripeSaysIt(
  subscription: Stripe.Subscription,
  plans: ReadonlyMap<string, string>,
) {
  const [item] = subscription.items.data;
  const { schedule } = subscription;
  const method = methodOf(subscription);
  const phases = schedule && typeof schedule !== "string" ? schedule : undefined;
  const next = phases?.phases.find(
    ({ start_date }) => start_date >= (phases.current_phase?.end_date ?? Number.POSITIVE_INFINITY),
  );
  const nextPrice = next && String(next.items[0]?.price);
  const changes = nextPrice !== undefined && nextPrice !== item?.price.id;
  return {
    id: subscription.id,
    customer_id: customerOf(subscription),
    status: statusOf(subscription),
    plan: plans.get(String(item?.price.product)),
    price_id: item?.price.id,
    unit_amount: item?.price.unit_amount,
    quantity: item?.quantity,
    currency: item?.price.currency,
    billing_interval: item?.price.recurring?.interval,
    interval_count: item?.price.recurring?.interval_count,
    current_period_end: item?.current_period_end,
    cancel_at: subscription.cancel_at,
    ended_at: subscription.ended_at,
    end_reason: subscription.cancellation_details?.reason ?? null,
    next_price_id: changes ? nextPrice : null,
    changes_at: changes ? next?.start_date : null,
    pending_until: subscription.pending_update?.expires_at ?? null,
    card_last4: (method && typeof method !== "string" && method.card?.last4) || null,
    created_at: subscription.created,
  };
}

/** Our subscriptions of this customer, with times as Stripe counts them. */
export async function recordedSubscriptions(customer: string) {
  const { data } = await database
    .from("subscriptions")
    .select("*")
    .eq("customer_id", customer)
    .order("id")
    .throwOnError();
  return data.map(inSeconds);
}

/** What `asStripeSaysIt` answers, from a row of our table. */
export function inSeconds(row: SubscriptionRow) {
  const { id, customer_id, status, plan, price_id, unit_amount, quantity, currency } = row;
  const { billing_interval, interval_count, end_reason, next_price_id, card_last4 } = row;
  return {
    ...{ id, customer_id, status, plan, price_id, unit_amount, quantity, currency },
    ...{ billing_interval, interval_count, end_reason, next_price_id, card_last4 },
    current_period_end: seconds(row.current_period_end),
    cancel_at: seconds(row.cancel_at),
    ended_at: seconds(row.ended_at),
    changes_at: seconds(row.changes_at),
    pending_until: seconds(row.pending_until),
    created_at: seconds(row.created_at),
  };
}

/** Our record of this customer says about subscriptions what Stripe says now. */
export async function expectRecordsToEqualStripe(customer: string): Promise<void> {
  const [{ data }, plans] = await Promise.all([
    stripe.subscriptions.list({
      customer,
      status: "all",
      limit: 100,
      expand: [...expandedForRecords],
    }),
    plansOfProducts(),
  ]);
  const subscriptions = data
    .map((each) => asStripeSaysIt(each, plans))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  expect(subscriptions.length).toBeGreaterThan(0);
  expect(await recordedSubscriptions(customer)).toEqual(subscriptions);
}
