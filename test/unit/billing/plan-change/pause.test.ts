import type Stripe from "stripe";
import { expect, test } from "vitest";
import { pauseEnds } from "~/features/billing/plan-change/pause/pause.server";
import type { StripePlan } from "~/features/billing/plan-change/stripe-plans.server";
import { pauseMark, pauseOf } from "~/features/billing/subscriptions/pause.server";
import { makePrice } from "../../../../fakes/stripe/objects/catalogue.ts";
import { makeSubscription } from "../../../../fakes/stripe/objects/subscriptions.ts";

const seconds = (day: string) => Date.parse(day) / 1_000;
const days = (ends: number[]) => ends.map((end) => new Date(end * 1_000).toISOString());
const price = makePrice({
  ...{ currency: "usd", product: "prod_basic", interval: "month", unit_amount: 10_999 },
});

type Given = {
  subscription?: Partial<Stripe.Subscription>;
  interval?: "month" | "year";
  invoice?: Stripe.Invoice.Status;
  end?: string;
};

/** A plan by the month that nothing is the matter with, and what is different. */
function planWith({ subscription: given, interval = "month", invoice = "paid", end }: Given = {}) {
  const subscription = {
    ...makeSubscription({
      ...{ customer: "cus_1", items: [{ price, quantity: 1 }], paymentMethod: "pm_1" },
      ...{ metadata: {}, description: null },
    }),
    status: "active",
    ...given,
  } as Stripe.Subscription;
  const [item] = subscription.items.data;
  if (item && end) item.current_period_end = seconds(end);
  const terms = { plan: "basic", interval, intervalCount: 1 };
  return { subscription, item, terms, latestInvoice: { status: invoice } } as StripePlan;
}

test("a pause lasts one to three months from what is paid, and ends a day before a renewal", () => {
  const plan = planWith({
    subscription: { billing_cycle_anchor: seconds("2026-10-31T10:00:00Z") },
    end: "2027-01-31T10:00:00Z",
  });
  expect(days(pauseEnds(plan))).toEqual([
    "2027-02-27T10:00:00.000Z",
    "2027-03-30T10:00:00.000Z",
    "2027-04-29T10:00:00.000Z",
  ]);
  const short = planWith({
    subscription: { billing_cycle_anchor: seconds("2026-10-31T10:00:00Z") },
    end: "2027-02-28T10:00:00Z",
  });
  expect(days(pauseEnds(short))[0]).toBe("2027-03-30T10:00:00.000Z");
});

test.each<[string, Given]>([
  ["is paid by the year", { interval: "year" }],
  ["has just been paused", { invoice: "void" }],
  ["has an open invoice", { invoice: "open" }],
  ["is cancelled", { subscription: { cancel_at_period_end: true } }],
  ["is past due", { subscription: { status: "past_due" } }],
  [
    "was paused by the operator",
    { subscription: { pause_collection: { behavior: "void", resumes_at: null } } },
  ],
])("a plan that %s is not paused", (_, given) => {
  expect(pauseEnds(planWith())).toHaveLength(3);
  expect(pauseEnds(planWith(given))).toEqual([]);
});

test("a pause begins with the period that is void, and is over when Stripe says so", () => {
  const until = seconds("2027-03-30T10:00:00Z");
  const pause_collection = { behavior: "void", resumes_at: until } as const;
  const { subscription } = planWith();
  const [item] = subscription.items.data;
  if (!item) throw new Error("It has an item");
  const from = item.current_period_end;
  const metadata = { [pauseMark]: String(from) };
  const paused = { ...subscription, metadata, pause_collection };
  expect(pauseOf(paused)).toEqual({ from, until, runs: false });
  item.current_period_start = from;
  expect(pauseOf(paused)).toEqual({ from, until, runs: true });
  expect(pauseOf({ ...paused, pause_collection: null })).toBeUndefined();
  expect(pauseOf({ ...paused, metadata: {} })).toBeUndefined();
  item.current_period_start = until + 86_400;
  expect(pauseOf(paused)).toBeUndefined();
});
