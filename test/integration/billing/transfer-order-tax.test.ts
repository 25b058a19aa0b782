import { expect, test } from "vitest";
import { planPage } from "../../support/billing/plan-change.ts";
import { prices, stripe } from "../../support/billing/stripe-account.ts";
import { siteWithFaults } from "../../support/faults/site-with-faults.ts";
import { settledStripeEvents } from "../../support/site/control-fakes.ts";
import { Visitor } from "../../support/site/visitor.ts";

const plan = "/dashboard/plan";
const site = siteWithFaults({ STRIPE_AUTOMATIC_TAX: "added" });

/** Somebody in the United States, where this site has tax calculated. */
async function company(postalCode: string) {
  for (const id of Object.values(prices))
    await stripe.prices.update(id, { tax_behavior: "exclusive" });
  const visitor = new Visitor(site().url);
  await visitor.signInWithGoogle("customer.one@example.com");
  await saveDetails(visitor, postalCode);
  return visitor;
}

const saveDetails = (visitor: Visitor, postalCode: string) =>
  visitor.post("/dashboard/billing", {
    intent: "details",
    email: "accounts@okapi.example",
    company: "Okapi Inc",
    country: "US",
    state: "OR",
    line1: "27 Fredrick Ave",
    city: "Brothers",
    postalCode,
  });

const order = (visitor: Visitor, offer: string) =>
  visitor.post(plan, { intent: "order", plan: offer });

const ordered = async () =>
  (await stripe.subscriptions.list({ status: "all" })).data.map(
    ({ items }) => items.data[0]?.price.id,
  );

test("where tax is calculated an order needs the postal code by which Stripe finds the place", async () => {
  const visitor = await company("");
  const page = await planPage(visitor);
  expect(page.words).toContain("The invoice still needs the postal code of its address.");
  expect((await order(visitor, "pro")).status).toBe(409);
  expect(await ordered()).toEqual([]);
});

test("an order that Stripe refuses is said as refused, and can be ordered again at once when it is corrected", async () => {
  const visitor = await company("none");
  for (const offer of ["pro", "basicYearly", "pro"]) {
    const refused = await order(visitor, offer);
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain(
      "Stripe cannot tell the tax for the company&#x27;s address.",
    );
  }
  await saveDetails(visitor, "97712");
  expect((await planPage(visitor)).words).toContain(
    "goes to accounts@okapi.example. Tax is added on it, where it applies.",
  );
  expect((await order(visitor, "pro")).headers.get("location")).toBe(`${plan}?done=ordered`);
  await settledStripeEvents();
  expect(await ordered()).toEqual([prices.pro]);
});
