import type Stripe from "stripe";
import { expect, test } from "vitest";
import { methodColumns } from "~/features/billing/prices/payment-methods";
import { toRow } from "~/features/billing/subscriptions/subscription-record.server";
import { makePrice } from "../../../../fakes/stripe/objects/catalogue.ts";
import { makeCoupon } from "../../../../fakes/stripe/objects/discounts.ts";
import {
  makePhase,
  makePhaseItem,
  makeSchedule,
} from "../../../../fakes/stripe/objects/schedules.ts";
import { makeSubscription } from "../../../../fakes/stripe/objects/subscriptions.ts";

const usd = { currency: "usd" } as const;
const terms = { ...usd, interval: "month", unit_amount: 10_999 } as const;
const basic = makePrice({ ...terms, product: "prod_basic" }, { id: "price_basic" });
const pro = makePrice(
  { ...usd, product: "prod_pro", interval: "year", unit_amount: 99_999 },
  { id: "price_pro" },
);
const extra = makePrice({ ...terms, product: "prod_extra", unit_amount: 500 }, { id: "extra" });

const plans = { price_basic: "basic", price_pro: "pro" } as const;
const catalogue = {
  planOf: ({ id }: { id: string }) =>
    id === "price_basic" || id === "price_pro" ? plans[id] : "none",
  priceOf: (id: string) => [basic, pro].find((price) => price.id === id),
  requests: 0,
};

function rowOf(change: (subscription: Stripe.Subscription) => void, prices = [basic]) {
  const subscription = makeSubscription({
    customer: "cus_1",
    items: prices.map((price) => ({ price, quantity: 2 })),
    paymentMethod: "pm_1",
    metadata: {},
    description: null,
  });
  change(subscription);
  const [row] = toRow(subscription, catalogue);
  if (!row) throw new Error("There is no row");
  return row;
}

function discount(coupon: Partial<Stripe.Coupon>, end: number | null): Stripe.Discount {
  return {
    ...{ id: "di_1", object: "discount", checkout_session: null, customer: "cus_1" },
    ...{ customer_account: null, invoice: null, invoice_item: null, promotion_code: null },
    ...{ start: 0, subscription: "sub_1", subscription_item: null, end },
    source: { coupon: makeCoupon({ id: "c", ...coupon }), type: "coupon" },
  };
}

test("a plan whose pause runs is paused here, though Stripe calls it active", () => {
  const until = 1_900_000_000;
  const pausedFrom = (from: (item: Stripe.SubscriptionItem) => number) =>
    rowOf((subscription) => {
      const [item] = subscription.items.data;
      subscription.status = "active";
      subscription.metadata = { livekit_deploy_paused_from: item ? String(from(item)) : "" };
      subscription.pause_collection = { behavior: "void", resumes_at: until };
    });
  expect(pausedFrom((item) => item.current_period_end)).toMatchObject({
    status: "active",
    paused_until: new Date(until * 1_000).toISOString(),
  });
  expect(pausedFrom((item) => item.current_period_start).status).toBe("paused");
  expect(rowOf(() => undefined)).toMatchObject({ paused_from: null, paused_until: null });
});

test("discounts are kept as what they take off, and until when", () => {
  const { discounts } = rowOf((subscription) => {
    subscription.discounts = [
      discount({ percent_off: 12.5, amount_off: null }, 1_800_000_000),
      discount({ percent_off: null, amount_off: 500 }, null),
    ];
  });
  expect(discounts).toEqual([
    { percentOff: 12.5, endsAt: "2027-01-15T08:00:00.000Z" },
    { amountOff: 500, endsAt: null },
  ]);
});

test.each([
  ["none", false, "exclusive"],
  ["added", true, "exclusive"],
  ["added", true, "unspecified"],
  ["included", true, "inclusive"],
] as const)("tax is %s with automatic tax %s and a price that is %s", (tax, enabled, behaviour) => {
  const row = rowOf(({ automatic_tax, items }) => {
    automatic_tax.enabled = enabled;
    for (const { price } of items.data) price.tax_behavior = behaviour;
  });
  expect(row.tax).toBe(tax);
});

test("quantity and amount are those of the plan; with other prices, all that is charged with it", () => {
  expect(rowOf(() => undefined)).toMatchObject({ plan: "basic", unit_amount: 10_999, quantity: 2 });
  expect(rowOf(() => undefined, [extra, basic])).toMatchObject({
    plan: "basic",
    price_id: "price_basic",
    unit_amount: 2 * 10_999 + 2 * 500,
    quantity: 1,
  });
  expect(rowOf(() => undefined, [basic, pro])).toMatchObject({ plan: "pro", unit_amount: 199_998 });
  expect(rowOf(() => undefined, [extra])).toMatchObject({ plan: "none", price_id: "extra" });
});

test("a scheduled change is the next phase, once its price is another", () => {
  const scheduled = (price: string) =>
    rowOf((subscription) => {
      const schedule = makeSchedule(subscription);
      const { end_date } = schedule.current_phase ?? { end_date: 0 };
      const [current] = schedule.phases;
      const next = makePhase({
        ...usd,
        start_date: end_date,
        end_date: end_date + 86_400,
        items: [makePhaseItem(price, 1)],
      });
      schedule.phases = current ? [current, next] : [next];
      subscription.schedule = schedule;
    });
  const row = scheduled("price_pro");
  expect(row).toMatchObject({
    next_price_id: "price_pro",
    next_plan: "pro",
    next_amount: 99_999,
    next_interval: "year",
  });
  expect(row.changes_at).toBe(row.current_period_end);
  expect(scheduled("price_basic")).toMatchObject({ next_price_id: null, changes_at: null });
});

test("a card is good to the last day of its month, and what is no card has its kind for a brand", () => {
  const method = (fields: object) => ({ id: "pm_1", object: "payment_method", ...fields });
  const card = { brand: "visa", last4: "4242", exp_month: 2, exp_year: 2028 };
  const asMethod = (fields: object) => method(fields) as Stripe.PaymentMethod;
  expect(methodColumns(asMethod({ type: "card", card }))).toEqual({
    card_brand: "visa",
    card_last4: "4242",
    card_expires_at: "2028-02-29",
  });
  expect(methodColumns(asMethod({ type: "link" }))).toMatchObject({
    card_brand: "link",
    card_last4: null,
  });
  expect(methodColumns("pm_1")).toMatchObject({ card_brand: null });
});

test("an end keeps Stripe's reason, and a change that waits for money its last moment", () => {
  const row = rowOf((subscription) => {
    subscription.cancellation_details = {
      ...{ comment: null, feedback: null, feedback_option: null },
      reason: "payment_failed",
    };
    subscription.pending_update = {
      ...{
        billing_cycle_anchor: null,
        cancel_at_period_end: null,
        discount: null,
        discounts: null,
      },
      ...{ metadata: null, subscription_items: [], trial_end: null, trial_from_plan: null },
      expires_at: 1_800_000_000,
    };
  });
  expect(row.end_reason).toBe("payment_failed");
  expect(row.pending_until).toBe("2027-01-15T08:00:00.000Z");
});
