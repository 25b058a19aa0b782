import { beforeEach, expect, test } from "vitest";
import { onlySubscription, planPage, press } from "../../../support/billing/plan-change.ts";
import { recordedSubscriptions } from "../../../support/billing/records.ts";
import { payOnHostedPage, prices, stripe } from "../../../support/billing/stripe-account.ts";
import {
  resetFakes,
  settledStripeEvents,
  stripeControl,
} from "../../../support/site/control-fakes.ts";
import { signedIn, type Visitor } from "../../../support/site/visitor.ts";

beforeEach(resetFakes);

async function buy(visitor: Visitor, plan: "basic" | "basicYearly" | "proMonthly") {
  const start = await visitor.post("/dashboard/plan", { intent: "buy", plan });
  expect(start.status).toBe(303);
  await payOnHostedPage(start.headers.get("location") ?? "");
  await settledStripeEvents();
}

async function present() {
  const { customer, items, latest_invoice } = await onlySubscription();
  const [item] = items.data;
  const [row] = await recordedSubscriptions(String(customer));
  return {
    price: item?.price.id,
    ends: item?.current_period_end ?? 0,
    plan: row?.plan,
    paid: latest_invoice.amount_paid,
  };
}

test("Basic by the year and Pro by the month are bought on the plan page, and give the rights of their plan", async () => {
  const visitor = await signedIn();
  const page = await planPage(visitor);
  expect(page.words).toContain("Basic by the year $899.99/year");
  expect(page.words).toContain("Pro by the month $149.99/month");
  await buy(visitor, "basicYearly");
  expect(await present()).toMatchObject({ price: prices.basicYearly, plan: "basic", paid: 89_999 });
  const bought = await planPage(visitor);
  expect(bought.words).toContain("You have Basic $899.99 per year");
  // A second one is refused, as for every offer.
  const second = await visitor.post("/dashboard/plan", { intent: "buy", plan: "proMonthly" });
  expect(second.status).toBe(409);
});

test("from the month to the year of one plan: paid at once, less what is left, and as the page says", async () => {
  const visitor = await signedIn();
  await buy(visitor, "basic");
  const page = await planPage(visitor, "?to=basicYearly");
  expect(page.words).toContain("Change to Basic for $899.99 per year");
  const { amount } = page.form("change").fields;
  const changed = await press(visitor, page, "change", { query: "?to=basicYearly" });
  expect(changed.words).toContain("Done. You have Basic now.");
  await settledStripeEvents();
  expect(await present()).toMatchObject({
    price: prices.basicYearly,
    plan: "basic",
    paid: Number(amount),
  });
});

test("from Basic by the year to Pro by the month nothing is charged, and the rest is credit that pays first", async () => {
  const visitor = await signedIn();
  await buy(visitor, "basicYearly");
  const page = await planPage(visitor, "?to=proMonthly");
  expect(page.words).toMatch(/Goes to your credit balance \$7\d\d\.\d\d Due today \$0\.00/);
  await press(visitor, page, "change", { query: "?to=proMonthly" });
  await settledStripeEvents();
  expect(await present()).toMatchObject({ price: prices.proMonthly, plan: "pro", paid: 0 });
  const [customer] = (await stripe.customers.list()).data;
  expect(customer?.balance).toBeLessThan(-70_000);
});

test("from Pro by the month to Basic by the year at the end of the month, charged then", async () => {
  const visitor = await signedIn();
  await buy(visitor, "proMonthly");
  const { ends } = await present();
  const page = await planPage(visitor, "?to=basicYearly");
  expect(page.words).toContain("Nothing is due today. You have Pro until");
  await press(visitor, page, "change", { query: "?to=basicYearly" });
  expect(await present()).toMatchObject({ price: prices.proMonthly, plan: "pro", paid: 14_999 });
  await stripeControl("clock", { advanceTo: ends + 2 * 3_600 });
  await settledStripeEvents();
  expect(await present()).toMatchObject({ price: prices.basicYearly, plan: "basic", paid: 89_999 });
});
