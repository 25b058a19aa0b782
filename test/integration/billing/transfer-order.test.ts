import { beforeEach, expect, test } from "vitest";
import { planPage } from "../../support/billing/plan-change.ts";
import { beginAnew, runUntilDone } from "../../support/billing/reconciliation.ts";
import { recordedSubscriptions } from "../../support/billing/records.ts";
import { prices, receivedWrites, stripe } from "../../support/billing/stripe-account.ts";
import { pauseDeliveries } from "../../support/billing/webhook-delivery.ts";
import { database } from "../../support/database/database.ts";
import { siteWithFaults } from "../../support/faults/site-with-faults.ts";
import {
  resetFakes,
  settledStripeEvents,
  stripeControl,
} from "../../support/site/control-fakes.ts";
import { textAt } from "../../support/site/page-text.ts";
import { pollUntil } from "../../support/site/poll.ts";
import { signedIn, type Visitor } from "../../support/site/visitor.ts";

const plan = "/dashboard/plan";
const hour = 3_600;
const day = 24 * hour;
const details = {
  intent: "details",
  email: "accounts@okapi.example",
  company: "Okapi Ltd",
  country: "DE",
  line1: "Street 1",
  city: "Berlin",
};
const faultySite = siteWithFaults();

beforeEach(resetFakes);

const order = (visitor: Visitor, offer = "pro") =>
  visitor.post(plan, { intent: "order", plan: offer });

/** Somebody who has given what an invoice needs. */
async function company() {
  const visitor = await signedIn();
  await visitor.post("/dashboard/billing", details);
  return visitor;
}

async function advanceTo(time: number) {
  await stripeControl("clock", { advanceTo: time });
  await settledStripeEvents();
}

async function onlyOrder() {
  const [subscription, ...others] = (await stripe.subscriptions.list({ status: "all" })).data;
  if (!subscription || others.length > 0) throw new Error("Stripe has not one subscription");
  const [invoice] = (await stripe.invoices.list()).data;
  if (!invoice) throw new Error("Stripe has no invoice");
  return { subscription, invoice, customer: String(subscription.customer) };
}

async function recorded(customer: string) {
  return (await recordedSubscriptions(customer)).map((row) => [
    row.plan,
    row.status,
    row.end_reason,
  ]);
}

test("an order needs what an invoice needs: the page says what is missing, and nothing is made without it", async () => {
  const visitor = await signedIn();
  const page = await planPage(visitor);
  expect(page.words).toContain(
    "The invoice still needs an e-mail address for invoices, the company's name and the company's address.",
  );
  expect(page.hasForm("order")).toBe(false);
  const refused = await order(visitor);
  expect(refused.status).toBe(409);
  expect(await refused.text()).toContain("Nothing was ordered. Give them under Billing first.");
  expect((await stripe.subscriptions.list({ status: "all" })).data).toEqual([]);
});

test("the plan runs from the order on, and the pages say what is due until when, and what follows", async () => {
  const visitor = await company();
  const page = await planPage(visitor);
  expect(page.words).toContain(
    "The invoice is made out to Okapi Ltd and goes to accounts@okapi.example.",
  );
  const ordered = await order(visitor);
  expect(ordered.headers.get("location")).toBe(`${plan}?done=ordered`);
  const { customer, subscription } = await onlyOrder();
  expect(subscription).toMatchObject({ collection_method: "send_invoice", days_until_due: 14 });
  expect(subscription.items.data[0]?.price.id).toBe(prices.pro);
  expect(await recorded(customer)).toEqual([["pro", "active", null]]);
  expect((await planPage(visitor, "?done=ordered")).words).toContain(
    "Done. You have Pro. Stripe sends the invoice within an hour.",
  );
  await advanceTo(subscription.created + 2 * hour);
  const words = /is due by \w+ \d+, \d+\. .*What has not arrived by \w+ \d+, \d+ ends/;
  expect((await planPage(visitor)).words).toMatch(words);
  expect(await textAt(visitor, "/dashboard/billing")).toMatch(words);
});

test("a workspace orders once: also of two requests, beside an open checkout, and beside a plan", async () => {
  const visitor = await company();
  const checkout = await visitor.post(plan, { intent: "buy", plan: "basic" });
  expect(checkout.status).toBe(303);
  const answers = await Promise.all([
    order(visitor),
    order(visitor),
    order(visitor, "basicYearly"),
  ]);
  expect(answers.map(({ status }) => status)).toContain(303);
  await settledStripeEvents();
  const { subscription } = await onlyOrder();
  const [session] = (await stripe.checkout.sessions.list()).data;
  expect(session?.status).toBe("expired");
  expect((await order(visitor)).status).toBe(409);
  expect((await visitor.post(plan, { intent: "buy", plan: "basic" })).status).toBe(409);
  const made = (await receivedWrites()).filter(({ path }) => path === "/v1/subscriptions");
  expect(new Set(made.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  expect((await onlyOrder()).subscription.id).toBe(subscription.id);
});

test("two requests of which neither sees the other's plan make one order", async () => {
  const visitor = await company();
  const sent = async () =>
    (await receivedWrites()).filter(({ path }) => path === "/v1/subscriptions").length;
  await stripeControl("faults", { mode: "hold", method: "POST", match: "/v1/subscriptions" });
  const answers = Promise.all([order(visitor), order(visitor)]);
  await pollUntil(sent, (count) => count >= 2);
  await stripeControl("faults", { mode: "none" });
  expect((await answers).map(({ status }) => status)).toEqual([303, 303]);
  await settledStripeEvents();
  expect((await onlyOrder()).subscription.status).toBe("active");
});

test("only what is paid by the year is ordered, and only where it is offered", async () => {
  const visitor = await company();
  for (const offer of ["basic", "proMonthly", "monthly", ""]) {
    expect((await order(visitor, offer)).status).toBe(400);
  }
  expect((await receivedWrites()).filter(({ path }) => path === "/v1/subscriptions")).toEqual([]);
});

test("a transfer that arrives settles the order, which is a plan like any other then", async () => {
  const visitor = await company();
  await order(visitor);
  const { subscription, customer } = await onlyOrder();
  await advanceTo(subscription.created + 2 * hour);
  const { invoice } = await onlyOrder();
  await fetch(invoice.hosted_invoice_url ?? "", {
    method: "POST",
    body: new URLSearchParams({ intent: "transfer" }),
    redirect: "manual",
  });
  await advanceTo(subscription.created + 30 * day);
  expect(await recorded(customer)).toEqual([["pro", "active", null]]);
  expect((await planPage(visitor)).words).not.toContain("What has not arrived");
});

test("an order that is overdue keeps its rights for a week", async () => {
  const now = Math.floor(Date.now() / 1_000);
  await stripeControl("clock", { startAt: now - 20 * day });
  const visitor = await company();
  await order(visitor);
  await advanceTo(now);
  const { customer } = await onlyOrder();
  expect(await recorded(customer)).toEqual([["pro", "past_due", null]]);
  await runUntilDone(faultySite());
  expect((await onlyOrder()).subscription.status).toBe("past_due");
  expect(await textAt(visitor, "/dashboard/billing")).toContain("and has not arrived.");
});

test("beyond its limit the reconciliation ends it without an event, its invoice is void, and there is no second", async () => {
  const now = Math.floor(Date.now() / 1_000);
  await stripeControl("clock", { startAt: now - 22 * day });
  const visitor = await company();
  await order(visitor);
  const { customer } = await onlyOrder();
  await pauseDeliveries();
  await stripeControl("clock", { advanceTo: now });
  // As after the event that it is overdue: nothing differs from Stripe but that the limit is over.
  await database
    .from("subscriptions")
    .update({ status: "past_due" })
    .eq("customer_id", customer)
    .throwOnError();
  await runUntilDone(faultySite());
  const { subscription, invoice } = await onlyOrder();
  expect([subscription.status, invoice.status]).toEqual(["canceled", "void"]);
  await beginAnew();
  await runUntilDone(faultySite());
  expect(await recorded(customer)).toEqual([["pro", "canceled", "unpaid_order"]]);
  expect(await textAt(visitor, "/dashboard")).toContain("because its invoice was not paid");
  const again = await order(visitor);
  expect(again.status).toBe(409);
  expect(await again.text()).toContain("The invoice of an earlier order was not paid");
});

test("an invoice that Stripe cannot finalize is told to the operator, and its plan ends at the limit as unpaid", async () => {
  const now = Math.floor(Date.now() / 1_000);
  await stripeControl("clock", { startAt: now - 22 * day });
  await stripeControl("settings", { canFinalize: false });
  const visitor = await company();
  await order(visitor);
  await advanceTo(now);
  const { customer, invoice } = await onlyOrder();
  expect(invoice.status).toBe("draft");
  const { data: mails } = await database.from("mail_outbox").select("kind, data").throwOnError();
  expect(mails).toContainEqual({ kind: "unsent", data: { invoice: invoice.id, live: false } });
  await runUntilDone(faultySite());
  await settledStripeEvents();
  expect(await recorded(customer)).toEqual([["pro", "canceled", "unpaid_order"]]);
});

test("an end that was cut off before the invoice was void is finished by the next sync", async () => {
  const visitor = await company();
  await order(visitor);
  const { subscription } = await onlyOrder();
  await advanceTo(subscription.created + 2 * hour);
  await stripe.subscriptions.cancel(subscription.id, {
    cancellation_details: { comment: "The invoice of an order by bank transfer was not paid." },
  });
  await settledStripeEvents();
  expect((await onlyOrder()).invoice.status).toBe("void");
});
