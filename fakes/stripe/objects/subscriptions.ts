import type Stripe from "stripe";
import { wholeList } from "../lists.ts";
import { newId, now, onTheWire } from "../state.ts";
import { planOf } from "./catalogue.ts";

/**
 * The end of the period that starts at the given second. It ends on the anchor's day, or on the last of a
 * month that has no such day.
 */
export function periodEnd(
  start: number,
  recurring: Pick<Stripe.Price.Recurring, "interval" | "interval_count">,
  anchor = start,
): number {
  const date = new Date(start * 1000);
  const count = recurring.interval_count;
  if (recurring.interval === "day") date.setUTCDate(date.getUTCDate() + count);
  if (recurring.interval === "week") date.setUTCDate(date.getUTCDate() + 7 * count);
  const monthsEach = recurring.interval === "year" ? 12 : recurring.interval === "month" ? 1 : 0;
  if (monthsEach > 0) {
    const month = date.getUTCMonth() + monthsEach * count;
    const lastDay = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate();
    date.setUTCMonth(month, Math.min(new Date(anchor * 1000).getUTCDate(), lastDay));
  }
  return Math.floor(date.getTime() / 1000);
}

/** One price within a subscription, for the period that starts at the given second. */
export function makeSubscriptionItem(
  subscription: string,
  price: Stripe.Price,
  quantity: number,
  start: number,
  anchor = start,
): Stripe.SubscriptionItem {
  if (!price.recurring) throw new Error(`Price ${price.id} is not recurring.`);
  return onTheWire<Stripe.SubscriptionItem>({
    id: newId("si", 14),
    object: "subscription_item",
    billing_thresholds: null,
    created: now(),
    current_period_end: periodEnd(start, price.recurring, anchor),
    current_period_start: start,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(price),
    price,
    quantity,
    subscription,
    tax_rates: [],
  });
}

type SubscriptionTerms = {
  customer: string;
  items: { price: Stripe.Price; quantity: number }[];
  paymentMethod: string | null;
  metadata: Stripe.Metadata;
  description: string | null;
  /** The days in which its invoices are to be paid, where it is paid by invoice. */
  daysUntilDue?: number | null;
  automaticTax?: boolean;
};

/** A subscription that still waits for its first payment. */
export function makeSubscription(terms: SubscriptionTerms): Stripe.Subscription {
  const id = newId("sub");
  const created = now();
  const { daysUntilDue = null } = terms;
  const items = terms.items.map(({ price, quantity }) =>
    makeSubscriptionItem(id, price, quantity, created),
  );
  return onTheWire<Stripe.Subscription>({
    id,
    object: "subscription",
    application: null,
    application_fee_percent: null,
    automatic_tax: {
      disabled_reason: null,
      enabled: terms.automaticTax ?? false,
      liability: null,
    },
    billing_cycle_anchor: created,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: "included" }, type: "flexible" },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: daysUntilDue === null ? "charge_automatically" : "send_invoice",
    created,
    currency: items[0]?.price.currency ?? "usd",
    customer: terms.customer,
    customer_account: null,
    days_until_due: daysUntilDue,
    default_payment_method: terms.paymentMethod,
    default_source: null,
    default_tax_rates: [],
    description: terms.description,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: "self" },
    },
    items: wholeList(`/v1/subscription_items?subscription=${id}`, items),
    latest_invoice: null,
    livemode: false,
    managed_payments: { enabled: false },
    metadata: terms.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: ["card"],
      save_default_payment_method: "off",
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: created,
    status: "incomplete",
    test_clock: null,
    transfer_data: null,
    trial_end: null,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: "create_invoice" },
    },
    trial_start: null,
  });
}

/** The end of the period that a subscription is in: the first of its items' ends. */
export function currentPeriodEnd(subscription: Stripe.Subscription): number {
  return Math.min(...subscription.items.data.map((item) => item.current_period_end));
}

/** The start of the period that a subscription is in. */
export function currentPeriodStart(subscription: Stripe.Subscription): number {
  return Math.min(...subscription.items.data.map((item) => item.current_period_start));
}

/** Moves a subscription's items on to the period after the one that they are in. */
export function nextPeriod(subscription: Stripe.Subscription): void {
  for (const item of subscription.items.data) {
    if (!item.price.recurring) continue;
    item.current_period_start = item.current_period_end;
    item.current_period_end = periodEnd(
      item.current_period_start,
      item.price.recurring,
      subscription.billing_cycle_anchor,
    );
  }
}

/** Whether a subscription is over for good. */
export function isOver(subscription: Stripe.Subscription): boolean {
  return subscription.status === "canceled" || subscription.status === "incomplete_expired";
}
