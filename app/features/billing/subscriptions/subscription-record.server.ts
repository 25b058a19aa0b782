import type Stripe from "stripe";
import { fromSeconds } from "~/ui/dates";
import { methodColumns } from "../prices/payment-methods";
import { type Catalogue, itemWithPlan } from "../prices/product-plans.server";
import { pauseOf } from "./pause.server";

/** What a list of subscriptions must expand for `toRow`. */
export const expandedInSubscriptions = [
  "data.schedule",
  "data.default_payment_method",
  "data.discounts.source.coupon",
];

/** The comment with which a second plan is ended at Stripe: it is the reason for the end that we record. */
export const secondPlanComment = "second-plan";

/** The comment at Stripe on an ordered plan that ended because its invoice was not paid. */
export const unpaidOrderComment = "The invoice of an order by bank transfer was not paid.";

/** The row of a subscription in our table `subscriptions`; empty for a subscription without items. */
export function toRow(subscription: Stripe.Subscription, catalogue: Catalogue) {
  const item = itemWithPlan(subscription.items.data, catalogue);
  if (!item) return [];
  const { cancel_at, cancel_at_period_end, pending_update, cancellation_details } = subscription;
  const pause = pauseOf(subscription);
  return [
    {
      id: subscription.id,
      // A plan gives no rights while it is paused, as with Stripe's own status.
      status: pause?.runs && subscription.status === "active" ? "paused" : subscription.status,
      paused_from: timestamp(pause?.from ?? null),
      paused_until: timestamp(pause?.until ?? null),
      plan: catalogue.planOf(item.price),
      price_id: item.price.id,
      ...pricedTerms(subscription, item),
      current_period_end: timestamp(item.current_period_end),
      cancel_at: timestamp(cancel_at ?? (cancel_at_period_end ? item.current_period_end : null)),
      ended_at: timestamp(subscription.ended_at),
      end_reason:
        cancellation_details?.comment === secondPlanComment
          ? "second_plan"
          : cancellation_details?.comment === unpaidOrderComment
            ? "unpaid_order"
            : (cancellation_details?.reason ?? null),
      ...scheduledChange(subscription, item.price.id, catalogue),
      pending_until: timestamp(pending_update?.expires_at ?? null),
      ...methodColumns(subscription.default_payment_method),
      created_at: timestamp(subscription.created),
    },
  ];
}

/** The columns from which `priceWords` says what a renewal costs. The discounts must be expanded. */
export function pricedTerms(subscription: Stripe.Subscription, item: Stripe.SubscriptionItem) {
  return {
    ...amountOf(subscription.items.data, item),
    currency: item.price.currency,
    billing_interval: item.price.recurring?.interval ?? "once",
    interval_count: item.price.recurring?.interval_count ?? 1,
    discounts: subscription.discounts.flatMap(discountOf),
    tax: taxOf(subscription, item),
  };
}

/** The unit amount and quantity of the only item; of several items the sum of those with the plan's interval. */
function amountOf(
  items: readonly Stripe.SubscriptionItem[],
  { price, quantity }: Stripe.SubscriptionItem,
) {
  if (items.length === 1) return { unit_amount: price.unit_amount, quantity: quantity ?? 1 };
  const together = items.filter(
    (each) =>
      each.price.recurring?.interval === price.recurring?.interval &&
      each.price.recurring?.interval_count === price.recurring?.interval_count,
  );
  const amounts = together.map((each) =>
    each.price.unit_amount === null ? null : each.price.unit_amount * (each.quantity ?? 1),
  );
  const sum = amounts.reduce((one, other) => (one === null || other === null ? null : one + other));
  return { unit_amount: sum ?? null, quantity: 1 };
}

/** A discount: a percentage, or an amount in the currency's smallest unit. `endsAt` is an ISO timestamp. */
type RecordedDiscount = ({ percentOff: number } | { amountOff: number }) & {
  endsAt: string | null;
};

function discountOf(discount: string | Stripe.Discount): RecordedDiscount[] {
  const coupon = typeof discount === "string" ? null : discount.source.coupon;
  if (typeof discount === "string" || !coupon || typeof coupon === "string") return [];
  const endsAt = timestamp(discount.end);
  if (coupon.percent_off !== null) return [{ percentOff: coupon.percent_off, endsAt }];
  return coupon.amount_off === null ? [] : [{ amountOff: coupon.amount_off, endsAt }];
}

/** Whether tax is in the price, comes on top, or is not charged. */
function taxOf(
  { automatic_tax, default_tax_rates }: Stripe.Subscription,
  { price, tax_rates }: Stripe.SubscriptionItem,
): "none" | "included" | "added" {
  if (automatic_tax.enabled) return price.tax_behavior === "inclusive" ? "included" : "added";
  const rates = tax_rates?.length ? tax_rates : (default_tax_rates ?? []);
  if (rates.length === 0) return "none";
  return rates.every(({ inclusive }) => inclusive) ? "included" : "added";
}

const noChange = {
  next_price_id: null,
  next_plan: null,
  next_amount: null,
  next_interval: null,
  changes_at: null,
};

/** The columns of the price to which the next phase of the schedule changes; all null without such a phase. */
function scheduledChange({ schedule }: Stripe.Subscription, current: string, catalogue: Catalogue) {
  if (!schedule || typeof schedule === "string") return noChange;
  const { current_phase, phases, status } = schedule;
  if (!current_phase || status !== "active") return noChange;
  const next = phases.find(({ start_date }) => start_date >= current_phase.end_date);
  const items = (next?.items ?? []).flatMap(({ price, quantity }) => {
    const found = catalogue.priceOf(typeof price === "string" ? price : price.id);
    return found ? [{ price: found, quantity }] : [];
  });
  const item = itemWithPlan(items, catalogue);
  if (!next || !item || item.price.id === current) return noChange;
  return {
    next_price_id: item.price.id,
    next_plan: catalogue.planOf(item.price),
    next_amount:
      item.price.unit_amount === null ? null : item.price.unit_amount * (item.quantity ?? 1),
    next_interval: item.price.recurring?.interval ?? "once",
    changes_at: timestamp(next.start_date),
  };
}

/** A time of Stripe's (seconds since 1970) as an ISO timestamp for the database. */
export function timestamp(seconds: number): string;
export function timestamp(seconds: number | null): string | null;
export function timestamp(seconds: number | null): string | null {
  return seconds === null ? null : fromSeconds(seconds).toISOString();
}
