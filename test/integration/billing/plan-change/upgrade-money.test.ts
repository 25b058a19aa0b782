import type Stripe from "stripe";
import { expect, test } from "vitest";
import { changeNow } from "~/features/billing/plan-change/change-now.server";
import { previewUpward } from "~/features/billing/plan-change/preview.server";
import { readAgain, type StripePlan } from "~/features/billing/plan-change/stripe-plans.server";
import type { AppContext } from "~/http/app-context";
import { readConfiguration } from "~/platform/env/configuration.server";
import { exampleVariables } from "../../../../fakes/dev-vars.ts";
import {
  cards,
  type Fake,
  pageOf,
  prices,
  returns,
  startFake,
  submit,
} from "../../../support/billing/stripe-fake.ts";
import { portBase, siteUrl } from "../../../support/site/own-site.ts";

const target = { offer: "pro", priceId: prices.pro, direction: "up" } as const;

function appContext(): AppContext {
  const reading = readConfiguration({
    ...exampleVariables({ siteUrl, portBase }),
    STRIPE_PRICE_BASIC: prices.basic,
    STRIPE_PRICE_PRO: prices.pro,
    STRIPE_PRICE_MONTHLY: prices.monthly,
    STRIPE_PRICE_YEARLY: prices.yearly,
  });
  if (!reading.ok) throw new Error("The variables of the tests are no configuration.");
  return { configuration: reading.configuration, requestId: "upgrade" } as AppContext;
}

const seconds = (day: string) => Date.parse(day) / 1_000;
const dayOf = (time: number) => new Date(time * 1_000).toISOString().slice(0, 10);

type Case = {
  name: string;
  bought: string;
  upgraded: string;
  /** What is due, in cents, and the day of the next renewal. */
  due: number;
  renews: string;
  coupon?: Stripe.CouponCreateParams;
  credit?: number;
  taxed?: boolean;
};

// Each upgrade is a hundred seconds after the beginning of its day, or of the purchase: a cent lasts four minutes.
const cases: Case[] = [
  {
    name: "on the day of the purchase",
    bought: "2027-04-10T00:00:00Z",
    upgraded: "2027-04-10T00:01:40Z",
    due: 89_000,
    renews: "2028-04-10",
  },
  {
    name: "with half of a month of thirty days left",
    bought: "2027-04-10T00:00:00Z",
    upgraded: "2027-04-25T00:01:40Z",
    due: 94_500,
    renews: "2028-04-25",
  },
  {
    name: "on the last day of a month that began on the 31st and ends on the 28th",
    bought: "2027-01-31T00:00:00Z",
    upgraded: "2027-02-27T00:01:40Z",
    // A day less a hundred seconds of twenty-eight is $3.92.
    due: 99_607,
    renews: "2028-02-27",
  },
  {
    name: "on a leap day, from which a year later there is none",
    bought: "2028-02-10T00:00:00Z",
    upgraded: "2028-02-29T00:01:40Z",
    // Ten days of twenty-nine are $37.92.
    due: 96_207,
    renews: "2029-02-28",
  },
  {
    name: "with a fifth off for ever",
    bought: "2027-04-10T00:00:00Z",
    upgraded: "2027-04-25T00:01:40Z",
    coupon: { percent_off: 20, duration: "forever" },
    // $799.99 less half of $87.99.
    due: 75_600,
    renews: "2028-04-25",
  },
  {
    name: "with a coupon for the first payment only",
    bought: "2027-04-10T00:00:00Z",
    upgraded: "2027-04-25T00:01:40Z",
    coupon: { percent_off: 50, duration: "once" },
    // $999.99 less half of the $54.99 that were paid.
    due: 97_250,
    renews: "2028-04-25",
  },
  {
    name: "with an amount off for ever",
    bought: "2027-04-10T00:00:00Z",
    upgraded: "2027-04-25T00:01:40Z",
    coupon: { amount_off: 1_000, currency: "usd", duration: "forever" },
    // $989.99 less half of $99.99.
    due: 94_000,
    renews: "2028-04-25",
  },
  {
    name: "with credit for a part of it",
    bought: "2027-04-10T00:00:00Z",
    upgraded: "2027-04-25T00:01:40Z",
    credit: 50_000,
    due: 44_500,
    renews: "2028-04-25",
  },
  {
    name: "with credit for all of it",
    bought: "2027-04-10T00:00:00Z",
    upgraded: "2027-04-25T00:01:40Z",
    credit: 200_000,
    due: 0,
    renews: "2028-04-25",
  },
  {
    name: "with tax on top",
    bought: "2027-04-10T00:00:00Z",
    upgraded: "2027-04-25T00:01:40Z",
    taxed: true,
    // A fifth less a hundredth on $945.00.
    due: 112_455,
    renews: "2028-04-25",
  },
];

type Purchase = Partial<Pick<Case, "coupon" | "taxed" | "credit">>;

async function buyBasic(fake: Fake, { coupon, taxed, credit }: Purchase = {}): Promise<string> {
  if (taxed)
    for (const id of [prices.basic, prices.pro])
      await fake.stripe.prices.update(id, { tax_behavior: "exclusive" });
  const discount = coupon && { coupon: (await fake.stripe.coupons.create(coupon)).id };
  const session = await fake.stripe.checkout.sessions.create({
    mode: "subscription",
    line_items: [{ price: prices.basic, quantity: 1 }],
    ...returns,
    ...(discount ? { discounts: [discount] } : {}),
    ...(taxed ? { automatic_tax: { enabled: true } } : {}),
  });
  const address = { country: "DE", line1: "Weg 1", city: "Berlin", postal_code: "10115" };
  const paid = await submit(pageOf(fake, session), {
    email: "ann@example.com",
    card: cards.good,
    ...(taxed ? address : {}),
  });
  expect(paid.status).toBe(303);
  const { subscription, customer } = await fake.stripe.checkout.sessions.retrieve(session.id);
  if (credit)
    await fake.stripe.customers.createBalanceTransaction(String(customer), {
      amount: -credit,
      currency: "usd",
    });
  return String(subscription);
}

async function planOf({ stripe }: Fake, id: string): Promise<StripePlan> {
  const plan = await readAgain(appContext().configuration, stripe, id);
  if (!plan) throw new Error("There is no plan.");
  return plan;
}

/** Shows what the upgrade costs, confirms it, and says what was shown and what was charged. */
async function upgrade(fake: Fake, id: string) {
  const plan = await planOf(fake, id);
  const shown = await previewUpward(fake.stripe, plan, target);
  const outcome = await changeNow({ context: appContext(), stripe: fake.stripe }, plan, target, {
    amount: shown.due,
    prorationDate: shown.prorationDate,
  });
  expect(outcome).toEqual({ kind: "done", done: "changed" });
  const { latestInvoice, item } = await planOf(fake, id);
  expect(latestInvoice).toMatchObject({ status: "paid", amount_paid: shown.due });
  expect(shown.lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(shown.due);
  expect(item.price.id).toBe(prices.pro);
  expect(dayOf(item.current_period_end)).toBe(dayOf(shown.renewsAt));
  return shown;
}

test.each(cases)("an upgrade charges what it says, to the cent: $name", async (terms) => {
  await using fake = await startFake();
  await fake.control("clock", { startAt: seconds(terms.bought) });
  const id = await buyBasic(fake, terms);
  await fake.control("clock", { advanceTo: seconds(terms.upgraded) });
  const { due, renewsAt } = await upgrade(fake, id);
  expect([due, dayOf(renewsAt)]).toEqual([terms.due, terms.renews]);
  expect((await fake.stripe.refunds.list()).data).toEqual([]);
});

test("a second change on the same day charges what it says, with what the first left as credit", async () => {
  await using fake = await startFake();
  await fake.control("clock", { startAt: seconds("2027-04-10T00:00:00Z") });
  const id = await buyBasic(fake);
  await fake.control("clock", { advanceTo: seconds("2027-04-25T00:01:40Z") });
  await upgrade(fake, id);
  // The operator takes it back at once: the unused year is credit.
  const { item } = await planOf(fake, id);
  await fake.stripe.subscriptions.update(id, {
    items: [{ id: item.id, price: prices.basic }],
    billing_cycle_anchor: { type: "now" },
    proration_behavior: "always_invoice",
  });
  const again = await upgrade(fake, id);
  expect(again.due).toBe(0);
});

test("a change within the period is counted from the moment that was shown, for an hour", async () => {
  await using fake = await startFake();
  await fake.control("clock", { startAt: seconds("2027-04-10T00:00:00Z") });
  const id = await buyBasic(fake);
  const before = await planOf(fake, id);
  const yearly = await fake.stripe.prices.create({
    product: String(before.item.price.product),
    currency: "usd",
    unit_amount: 89_999,
    recurring: { interval: "year" },
  });
  await fake.stripe.subscriptions.update(id, {
    items: [{ id: before.item.id, price: yearly.id }],
    billing_cycle_anchor: { type: "now" },
    proration_behavior: "none",
  });
  const plan = await planOf(fake, id);
  const day = 24 * 60 * 60;
  const start = plan.item.current_period_start;
  await fake.control("clock", { advanceTo: start + 100 * day });
  const shown = await previewUpward(fake.stripe, plan, target);
  expect(shown.prorationDate).toBe(start + 100 * day);
  const scope = { context: appContext(), stripe: fake.stripe };
  const confirm = (prorationDate: number | undefined) =>
    changeNow(scope, plan, target, { amount: shown.due, prorationDate });
  await fake.control("clock", { advanceTo: start + 100 * day + 3_000 });
  const moved = { kind: "refused", why: "moved" };
  for (const forged of [undefined, start - 1, start + 100 * day - 3_600, start + 200 * day])
    expect([forged, await confirm(forged)]).toEqual([forged, moved]);
  expect(await confirm(shown.prorationDate)).toEqual({ kind: "done", done: "changed" });
  const after = await planOf(fake, id);
  expect(after.latestInvoice).toMatchObject({ amount_paid: shown.due });
  expect(after.item.current_period_end).toBe(plan.item.current_period_end);
});

test("a preview that Stripe refuses is not said to be another amount", async () => {
  await using fake = await startFake();
  const id = await buyBasic(fake);
  const plan = await planOf(fake, id);
  const { due, prorationDate } = await previewUpward(fake.stripe, plan, target);
  await fake.stripe.prices.update(prices.pro, { active: false });
  const outcome = await changeNow({ context: appContext(), stripe: fake.stripe }, plan, target, {
    amount: due,
    prorationDate,
  });
  expect(outcome).toEqual({ kind: "refused", why: "not-accepted" });
});
