import { beforeEach, expect, test } from "vitest";
import { change } from "../../../support/auth/account.ts";
import { changePrice, foreignProduct } from "../../../support/billing/other-products.ts";
import { beginAnew, runUntilDone } from "../../../support/billing/reconciliation.ts";
import { recordedSubscriptions } from "../../../support/billing/records.ts";
import { buyAtStripe, prices, stripe } from "../../../support/billing/stripe-account.ts";
import { pauseDeliveries } from "../../../support/billing/webhook-delivery.ts";
import { database, userIdOf } from "../../../support/database/database.ts";
import {
  sharedSiteWithFaults,
  startSiteWithFaults,
} from "../../../support/faults/site-with-faults.ts";
import { testInProof } from "../../../support/run/variants.ts";
import { resetFakes, settledStripeEvents } from "../../../support/site/control-fakes.ts";
import { textAt } from "../../../support/site/page-text.ts";
import { signedIn } from "../../../support/site/visitor.ts";

const one = "customer.one@example.com";
const two = "customer.two@example.com";

beforeEach(resetFakes);

async function accountPlan(email: string): Promise<unknown> {
  const { data } = await database
    .rpc("account_plan", { owner: await userIdOf(email), basic_prices: [] })
    .throwOnError();
  return data;
}

test("after a price change old Basic payers stay Basic and old Pro payers Pro", async () => {
  for (const email of [one, two]) await signedIn(email);
  const basic = await buyAtStripe({ email: one, userId: await userIdOf(one) });
  const pro = await buyAtStripe({ email: two, price: prices.pro, userId: await userIdOf(two) });
  await settledStripeEvents();

  await using site = await startSiteWithFaults({
    STRIPE_PRICE_BASIC: await changePrice(prices.basic, 12_999),
    STRIPE_PRICE_PRO: await changePrice(prices.pro, 119_999),
  });
  // Every record is written anew, by the site that only knows the new prices.
  await database.from("subscriptions").delete().neq("id", "").throwOnError();
  await beginAnew();
  await runUntilDone(site);

  expect(await recordedSubscriptions(basic.customer)).toMatchObject([
    { price_id: prices.basic, plan: "basic" },
  ]);
  expect(await recordedSubscriptions(pro.customer)).toMatchObject([
    { price_id: prices.pro, plan: "pro" },
  ]);
  const [basicPayer, proPayer] = [await signedIn(one, site.url), await signedIn(two, site.url)];
  const [basicsPage, prosPage] = [
    await textAt(basicPayer, "/dashboard"),
    await textAt(proPayer, "/dashboard"),
  ];
  expect(basicsPage).toContain("Basic");
  expect(basicsPage).toContain("$109.99 per month");
  expect(prosPage).toContain("Pro");
  // A plan that the site does not know is called Custom.
  for (const page of [basicsPage, prosPage]) expect(page).not.toMatch(/Custom(?! domain setup)/);
  expect(await textAt(basicPayer, "/dashboard/deployments")).toContain("Basic: 0 of 1");
  expect(await textAt(proPayer, "/dashboard/deployments")).toContain("Pro: 0 deployments");
  expect([await accountPlan(one), await accountPlan(two)]).toEqual(["basic", "pro"]);
});

testInProof(
  "a price of the past keeps its plan before the products carry our metadata",
  async () => {
    const unmarked = await stripe.products.create({ name: "Basic, set up before" });
    const terms = { product: unmarked.id, currency: "usd", unit_amount: 9_999 };
    const recurring = { interval: "month" as const };
    const former = await stripe.prices.create({ ...terms, recurring });
    const present = await stripe.prices.create({ ...terms, unit_amount: 10_999, recurring });
    await pauseDeliveries();
    const { customer } = await buyAtStripe({ price: former.id });
    await using site = await startSiteWithFaults({ STRIPE_PRICE_BASIC: present.id });
    await runUntilDone(site);
    expect(await recordedSubscriptions(customer)).toMatchObject([{ plan: "basic" }]);
  },
);

test("a $1 subscription to a foreign product gives nothing, blocks nothing, and outlives the account", async () => {
  const visitor = await signedIn(one);
  const { price } = await foreignProduct();
  const foreign = await buyAtStripe({ email: one, price, userId: await userIdOf(one) });
  await settledStripeEvents();
  expect(await recordedSubscriptions(foreign.customer)).toMatchObject([{ plan: "none" }]);

  expect(await textAt(visitor, "/dashboard")).toContain("No plan yet");
  const form = { name: "Production", domain: "rtc.mycompany.com", email: "ops@mycompany.com" };
  expect((await visitor.post("/dashboard/deployments/new", form)).status).toBe(403);
  expect(await accountPlan(one)).toBe("none");

  const order = await visitor.request("/api/create-checkout-session", {
    method: "POST",
    body: JSON.stringify({ priceId: prices.basic, userId: await userIdOf(one) }),
    headers: { "content-type": "application/json" },
  });
  expect(order.status).toBe(200);

  const ours = await buyAtStripe({ email: one, price: prices.pro, userId: await userIdOf(one) });
  await settledStripeEvents();
  expect(await textAt(visitor, "/dashboard")).not.toContain("more than one running plan");
  expect(await accountPlan(one)).toBe("pro");

  const deleted = await change(visitor, { intent: "delete", confirmation: one });
  expect(deleted.location).toBe("/account-deleted");
  await settledStripeEvents();
  const statusOf = async (id: string) => (await stripe.subscriptions.retrieve(id)).status;
  expect(await statusOf(ours.subscription)).toBe("canceled");
  expect(await statusOf(foreign.subscription)).toBe("active");

  // Nor does the reconciliation end it later, and it is not read again for ever.
  const site = await sharedSiteWithFaults();
  await runUntilDone(site);
  await beginAnew();
  await runUntilDone(site);
  const lines = await site.logged({ message: "Records were reconciled with Stripe" });
  expect(lines.map(({ mended, failed }) => [mended, failed])).toEqual([
    [0, 0],
    [0, 0],
  ]);
  expect(await statusOf(foreign.subscription)).toBe("active");
});

test("of several things in one subscription the plan counts, and all that is charged with it", async () => {
  const { price } = await foreignProduct("Extra seat");
  const { customer, subscription } = await buyAtStripe({ price });
  await stripe.subscriptions.update(subscription, {
    items: [{ price: prices.basic }],
    proration_behavior: "none",
  });
  await settledStripeEvents();
  expect(await recordedSubscriptions(customer)).toMatchObject([
    { plan: "basic", price_id: prices.basic, unit_amount: 10_999 + 100, quantity: 1 },
  ]);
});

testInProof(
  "rows that former code wrote keep their rights, and a pass fills in their plan",
  async () => {
    const visitor = await signedIn(one);
    const { customer } = await buyAtStripe({ email: one, userId: await userIdOf(one) });
    await settledStripeEvents();
    const fields = { plan: null, quantity: null, tax: null, card_last4: null };
    await database.from("subscriptions").update(fields).neq("id", "").throwOnError();
    expect(await textAt(visitor, "/dashboard")).toContain("Basic");

    const site = await sharedSiteWithFaults();
    await runUntilDone(site);
    expect(await recordedSubscriptions(customer)).toMatchObject([
      { plan: "basic", quantity: 1, card_last4: "4242" },
    ]);
    // The page of Stripe's list had it all: nobody was read again.
    expect(site.stripeProxy.requests.filter(({ path }) => /customers\/cus_/.test(path))).toEqual(
      [],
    );
  },
);
