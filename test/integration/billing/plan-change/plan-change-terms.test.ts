import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { exampleVariables } from "../../../../fakes/dev-vars.ts";
import type { RunningWorker } from "../../../../scripts/lib/worker.ts";
import { buy, cards } from "../../../support/billing/hosted-pages.ts";
import { onlySubscription, planPage, press } from "../../../support/billing/plan-change.ts";
import { prices, stripe } from "../../../support/billing/stripe-account.ts";
import { testInProof } from "../../../support/run/variants.ts";
import {
  resetFakes,
  settledStripeEvents,
  stripeControl,
} from "../../../support/site/control-fakes.ts";
import { portBase, startOwnWorker } from "../../../support/site/own-site.ts";
import { signedIn } from "../../../support/site/visitor.ts";

let taxed: RunningWorker;

beforeAll(async () => {
  taxed = await startOwnWorker((siteUrl) => ({
    ...exampleVariables({ siteUrl, portBase }),
    STRIPE_AUTOMATIC_TAX: "added",
  }));
});
afterAll(() => taxed?.[Symbol.asyncDispose]());
beforeEach(resetFakes);

async function onlyItem() {
  const [item] = (await onlySubscription()).items.data;
  if (!item) throw new Error("The subscription has no item.");
  return item;
}

test("a change keeps the quantity, and what is due today is what the invoice charges for all of it", async () => {
  const visitor = await signedIn();
  await buy(visitor, "basic");
  const { id } = await onlySubscription();
  await stripe.subscriptions.update(id, {
    items: [{ id: (await onlyItem()).id, quantity: 2 }],
    proration_behavior: "none",
  });
  await settledStripeEvents();
  const page = await planPage(visitor, "?to=pro");
  expect(page.words).toContain("Pro $1,999.98");
  const changed = await press(visitor, page, "change", { query: "?to=pro" });
  expect(changed.words).toContain("You have Pro now.");
  expect(await onlyItem()).toMatchObject({ price: { id: prices.pro }, quantity: 2 });
  const { latest_invoice } = await onlySubscription();
  expect(latest_invoice.amount_paid).toBe(Number(page.form("change").fields.amount));
});

test("with tax added the tax is in what is due today, and the invoice charges the same", async () => {
  for (const id of Object.values(prices))
    await stripe.prices.update(id, { tax_behavior: "exclusive" });
  const visitor = (await signedIn()).twin(taxed.url);
  const start = await visitor.post("/pricing", { plan: "basic" });
  const address = { country: "DE", line1: "Weg 1", city: "Berlin", postal_code: "10115" };
  await visitor.post(start.headers.get("location") ?? "", { card: cards.good, ...address });
  await settledStripeEvents();
  expect((await onlySubscription()).latest_invoice.amount_paid).toBe(13_089);

  const page = await planPage(visitor, "?to=pro");
  expect(page.words).toMatch(/Pro \$999\.99 Tax \$1[67]\d\.\d\d Due today/);
  const changed = await press(visitor, page, "change", { query: "?to=pro" });
  expect(changed.words).toContain("You have Pro now.");
  const { latest_invoice } = await onlySubscription();
  expect(latest_invoice.amount_paid).toBe(Number(page.form("change").fields.amount));
  expect(latest_invoice.total_taxes?.[0]?.amount).toBeGreaterThan(0);
});

testInProof(
  "a price of the past that is archived is kept until the period ends, and then the smaller plan begins",
  async () => {
    const visitor = await signedIn();
    await buy(visitor, "pro");
    const { product } = await stripe.prices.retrieve(prices.pro);
    const old = await stripe.prices.create({
      product: String(product),
      currency: "usd",
      unit_amount: 89_999,
      recurring: { interval: "year" },
    });
    const { id } = await onlySubscription();
    await stripe.subscriptions.update(id, {
      items: [{ id: (await onlyItem()).id, price: old.id }],
      proration_behavior: "none",
    });
    await stripe.prices.update(old.id, { active: false });
    await settledStripeEvents();

    const page = await planPage(visitor, "?to=basic");
    expect(page.words).toContain("$899.99 per year");
    const planned = await press(visitor, page, "change", { query: "?to=basic" });
    expect(planned.words).toContain("your plan changes to Basic.");
    const { price, current_period_end } = await onlyItem();
    expect(price.id).toBe(old.id);
    const { data } = await stripe.subscriptionSchedules.list();
    expect(data[0]?.phases.map(({ items }) => items[0]?.price)).toEqual([old.id, prices.basic]);
    await stripeControl("clock", { advanceTo: current_period_end + 2 * 3_600 });
    expect((await onlyItem()).price.id).toBe(prices.basic);
  },
);
