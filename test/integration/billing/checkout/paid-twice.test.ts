import { beforeEach, expect, test } from "vitest";
import { mailsTo } from "../../../support/auth/inbox.ts";
import { onlyMails } from "../../../support/billing/plan-mails.ts";
import { beginAnew, runUntilDone } from "../../../support/billing/reconciliation.ts";
import {
  buyAtStripe,
  cards,
  payOnHostedPage,
  prices,
  stripe,
} from "../../../support/billing/stripe-account.ts";
import { deliver, pauseDeliveries } from "../../../support/billing/webhook-delivery.ts";
import { siteWithFaults } from "../../../support/faults/site-with-faults.ts";
import { settledStripeEvents, stripeControl } from "../../../support/site/control-fakes.ts";
import { textAt } from "../../../support/site/page-text.ts";
import { variable } from "../../../support/site/variables.ts";
import { signedIn, Visitor } from "../../../support/site/visitor.ts";

const site = siteWithFaults();
beforeEach(() => onlyMails());

const email = "customer.one@example.com";
const warning = "You have more than one running plan and pay for each.";

async function begin(visitor: Visitor, plan: string): Promise<string> {
  const start = await visitor.post("/pricing", { plan });
  return start.headers.get("location") ?? "";
}

/** What every purchase came to: its price, how its plan stands, and what was given back of it. */
async function purchases() {
  const { data: subscriptions } = await stripe.subscriptions.list({ status: "all" });
  const { data: charges } = await stripe.charges.list();
  return subscriptions
    .map(({ status, customer, items }) => ({
      price: items.data[0]?.price.id,
      status,
      givenBack: charges.find((charge) => charge.customer === customer)?.amount_refunded,
    }))
    .sort((a, b) => String(a.price).localeCompare(String(b.price)));
}

const subjectsTo = async (address: string) =>
  (await mailsTo(address)).map(({ subject }) => subject);

test("a guest's plan beside that of the account is given back and ended, and buyer and operator read why", async () => {
  const visitor = await signedIn(email);
  const open = await begin(visitor, "pro");
  await payOnHostedPage(await begin(new Visitor(), "basic"), { email });
  await payOnHostedPage(open, { email });
  await settledStripeEvents();
  const settled = [
    { price: prices.basic, status: "canceled", givenBack: 10_999 },
    { price: prices.pro, status: "active", givenBack: 0 },
  ];
  expect(await purchases()).toEqual(settled);
  expect((await stripe.refunds.list()).data).toHaveLength(1);
  expect(await textAt(visitor, "/dashboard")).not.toContain(warning);

  await site().runScheduled();
  expect(await subjectsTo(email)).toContain("Your Basic plan has ended");
  const [mail] = (await mailsTo(email)).filter(({ subject }) => subject.includes("has ended"));
  expect(mail?.text).toContain(
    "because you had a plan that runs already. What it cost was given back to your card.",
  );
  expect(await subjectsTo(variable("SUPPORT_EMAIL"))).toEqual([
    "Somebody paid for a second plan, and it was refunded",
  ]);
});

test("of two guests' plans with one address the first is kept, however often Stripe reports them", async () => {
  await payOnHostedPage(await begin(new Visitor(), "basic"), { email });
  await stripeControl("clock", { advanceTo: Math.ceil(Date.now() / 1_000) + 5 });
  await payOnHostedPage(await begin(new Visitor(), "pro"), { email });
  await settledStripeEvents();
  const settled = [
    { price: prices.basic, status: "active", givenBack: 0 },
    { price: prices.pro, status: "canceled", givenBack: 99_999 },
  ];
  expect(await purchases()).toEqual(settled);
  const { data } = await stripe.events.list({ type: "checkout.session.completed" });
  await Promise.all(data.map((event) => deliver({ ...event, id: `${event.id}_again` })));
  expect(await purchases()).toEqual(settled);
});

test("of two plans that were paid in one second, reported at once, one is kept", async () => {
  await pauseDeliveries();
  const pages = [await begin(new Visitor(), "basic"), await begin(new Visitor(), "basic")];
  await Promise.all(pages.map((page) => payOnHostedPage(page, { email })));
  const { data } = await stripe.events.list({ type: "checkout.session.completed" });
  for (const round of [1, 2])
    await Promise.all(data.map((event) => deliver({ ...event, id: `${event.id}_${round}` })));
  expect((await purchases()).map(({ status }) => status).sort()).toEqual(["active", "canceled"]);
  expect((await stripe.refunds.list()).data).toHaveLength(1);
});

test("an address is nobody else's, whatever characters it has", async () => {
  for (const each of [
    "some.one@example.com",
    "*@example.com",
    "%@example.com",
    "some_one@example.com",
  ])
    await payOnHostedPage(await begin(new Visitor(), "basic"), { email: each });
  await settledStripeEvents();
  expect((await purchases()).map(({ status }) => status)).toEqual(Array(4).fill("active"));
  expect((await stripe.refunds.list()).data).toEqual([]);
});

const standings = [
  ["cancelled", { cancel_at_period_end: true }],
  ["paused", { pause_collection: { behavior: "void" } }],
] as const;

test.each(standings)("beside a plan that is %s nothing is given back", async (_, change) => {
  const visitor = await signedIn(email);
  await payOnHostedPage(await begin(visitor, "pro"), { email });
  const [plan] = (await stripe.subscriptions.list()).data;
  await stripe.subscriptions.update(plan?.id ?? "", change);
  await payOnHostedPage(await begin(new Visitor(), "basic"), { email });
  await settledStripeEvents();
  expect((await purchases()).map(({ status }) => status)).toEqual(["active", "active"]);
  expect((await stripe.refunds.list()).data).toEqual([]);
  await site().runScheduled();
  expect(await subjectsTo(variable("SUPPORT_EMAIL"))).toEqual(["Somebody pays for two plans"]);
});

test("beside a plan whose payment failed nothing is given back", async () => {
  await stripeControl("clock", { startAt: Math.floor(Date.now() / 1_000) - 40 * 86_400 });
  const visitor = await signedIn(email);
  await payOnHostedPage(await begin(visitor, "basic"), { email, card: cards.failsAtRenewal });
  await stripeControl("clock", { advanceTo: Math.floor(Date.now() / 1_000) });
  await settledStripeEvents();
  await payOnHostedPage(await begin(new Visitor(), "pro"), { email });
  await settledStripeEvents();
  const [first, second] = await purchases();
  expect(first?.status).not.toBe("active");
  expect(second).toEqual({ price: prices.pro, status: "active", givenBack: 0 });
});

test("a second plan whose refund Stripe refuses goes on, and the operator reads so", async () => {
  await payOnHostedPage(await begin(new Visitor(), "pro"), { email });
  await settledStripeEvents();
  await stripeControl("clock", { advanceTo: Math.ceil(Date.now() / 1_000) + 5 });
  await pauseDeliveries();
  await payOnHostedPage(await begin(new Visitor(), "basic"), { email });
  const [second] = (await stripe.subscriptions.list({ price: prices.basic })).data;
  await stripeControl(`subscriptions/${second?.id}/dispute`, {});
  const { data } = await stripe.events.list({ type: "checkout.session.completed" });
  await Promise.all(data.map((event) => deliver(event)));
  expect((await purchases()).map(({ status }) => status)).toEqual(["active", "active"]);
  await site().runScheduled();
  expect(await subjectsTo(variable("SUPPORT_EMAIL"))).toContain("Somebody pays for two plans");
});

test("a guest who is the owner of a workspace has its plan, wherever its invoices go", async () => {
  const visitor = await signedIn(email);
  await visitor.post("/dashboard/billing", { intent: "details", email: "accounts@okapi.example" });
  await payOnHostedPage(await begin(visitor, "pro"));
  await payOnHostedPage(await begin(new Visitor(), "basic"), { email });
  await settledStripeEvents();
  expect(await purchases()).toEqual([
    { price: prices.basic, status: "canceled", givenBack: 10_999 },
    { price: prices.pro, status: "active", givenBack: 0 },
  ]);
});

test("somebody who puts another's address on their invoices ends nothing of theirs", async () => {
  const visitor = await signedIn("customer.two@example.com");
  await visitor.post("/dashboard/billing", { intent: "details", email });
  await payOnHostedPage(await begin(visitor, "pro"));
  await payOnHostedPage(await begin(new Visitor(), "basic"), { email });
  await settledStripeEvents();
  expect((await purchases()).map(({ status }) => status)).toEqual(["active", "active"]);
});

test("a second plan that did not come from our checkout is left, and said on every page and to the operator", async () => {
  const visitor = await signedIn(email);
  await payOnHostedPage(await begin(visitor, "pro"), { email });
  await buyAtStripe({ email, price: prices.basic });
  await settledStripeEvents();
  expect((await purchases()).map(({ status }) => status)).toEqual(["active", "active"]);
  await signedIn(email);
  for (const page of ["/dashboard", "/dashboard/billing", "/dashboard/plan"])
    expect([page, await textAt(visitor, page)]).toEqual([page, expect.stringContaining(warning)]);
  await site().runScheduled();
  expect(await subjectsTo(variable("SUPPORT_EMAIL"))).toEqual(["Somebody pays for two plans"]);
});

test("a second plan whose webhooks are lost is given back by the reconciliation", async () => {
  const now = Math.floor(Date.now() / 1_000);
  await stripeControl("clock", { startAt: now - 3_600 });
  await payOnHostedPage(await begin(new Visitor(), "basic"), { email });
  await settledStripeEvents();
  await stripeControl("clock", { advanceTo: now - 60 });
  await pauseDeliveries();
  // The site whose schedule runs here gives back only what was bought there.
  await payOnHostedPage(await begin(new Visitor(site().url), "pro"), { email });
  await beginAnew();
  await runUntilDone(site());
  expect(await purchases()).toEqual([
    { price: prices.basic, status: "active", givenBack: 0 },
    { price: prices.pro, status: "canceled", givenBack: 99_999 },
  ]);
});

test("a guest's plan that an account claims beside its own is given back", async () => {
  const visitor = await signedIn(email);
  await payOnHostedPage(await begin(visitor, "pro"), { email });
  await settledStripeEvents();
  await pauseDeliveries();
  await payOnHostedPage(await begin(new Visitor(), "basic"), { email });
  const { data } = await stripe.events.list({ type: "customer.subscription.updated" });
  for (const event of data) await deliver(event);
  await signedIn(email);
  expect(await purchases()).toEqual([
    { price: prices.basic, status: "canceled", givenBack: 10_999 },
    { price: prices.pro, status: "active", givenBack: 0 },
  ]);
});
