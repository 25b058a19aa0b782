import { beforeEach, expect, test } from "vitest";
import { planPage } from "../../support/billing/plan-change.ts";
import { recordedSubscriptions } from "../../support/billing/records.ts";
import { prices, stripe } from "../../support/billing/stripe-account.ts";
import { userIdOf } from "../../support/database/database.ts";
import {
  resetFakes,
  settledStripeEvents,
  stripeControl,
} from "../../support/site/control-fakes.ts";
import { textAt } from "../../support/site/page-text.ts";
import { signedIn } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";
const hour = 3_600;
const day = 24 * hour;

beforeEach(resetFakes);

/** As the operator makes it in Stripe: a plan that is paid by invoice within 14 days. */
async function orderByInvoice() {
  const visitor = await signedIn(email);
  const metadata = { user_id: await userIdOf(email) };
  const customer = await stripe.customers.create({ email, metadata });
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: prices.pro }],
    collection_method: "send_invoice",
    days_until_due: 14,
  });
  await settledStripeEvents();
  return { visitor, customer: customer.id, start: subscription.created };
}

async function advanceTo(time: number) {
  await stripeControl("clock", { advanceTo: time });
  await settledStripeEvents();
}

async function onlyInvoice() {
  const [invoice] = (await stripe.invoices.list()).data;
  if (!invoice) throw new Error("Stripe has no invoice");
  return invoice;
}

async function statusOf(customer: string) {
  return (await recordedSubscriptions(customer)).map(({ plan, status }) => `${plan} ${status}`);
}

const dayWords = (seconds: number) =>
  new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" }).format(seconds * 1_000);

test("what comes of an accepted quote gives the plan of its product, to whoever signs up with its address", async () => {
  const { product } = await stripe.prices.retrieve(prices.pro);
  const price = await stripe.prices.create({
    product: String(product),
    currency: "usd",
    unit_amount: 480_000,
    recurring: { interval: "year" },
  });
  const customer = await stripe.customers.create({ email });
  await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
    collection_method: "send_invoice",
    days_until_due: 30,
  });
  await settledStripeEvents();
  const visitor = await signedIn(email);
  expect(await textAt(visitor, "/dashboard")).toContain("$4,800 per year");
  expect(await textAt(visitor, "/dashboard/deployments")).toContain("Pro: 0 deployments");
  expect((await planPage(visitor)).words).toContain("You pay this plan by invoice");
});

test("a plan by invoice runs from the order, and its pages say by when it is paid, and where", async () => {
  const { visitor, customer, start } = await orderByInvoice();
  expect(await statusOf(customer)).toEqual(["pro active"]);
  await advanceTo(start + 2 * hour);
  const { due_date, hosted_invoice_url } = await onlyInvoice();
  const by = dayWords(due_date ?? 0);
  const billing = await textAt(visitor, "/dashboard/billing");
  expect(billing).toContain(`$999.99 is due by ${by}.`);
  expect(billing).toContain("Your plan has all that it has until then. Open the invoice");
  const page = await visitor.request("/dashboard/billing");
  expect(await page.text()).toContain(`href="${hosted_invoice_url}"`);
  const plan = await planPage(visitor);
  expect(plan.words).toContain(`You pay it by invoice. The one that is open is due by ${by}.`);
  expect(plan.words).not.toContain("Add a card");
});

test("a transfer that arrives pays the invoice, and the year runs on", async () => {
  const { visitor, customer, start } = await orderByInvoice();
  await advanceTo(start + 2 * hour);
  const { hosted_invoice_url } = await onlyInvoice();
  const body = new URLSearchParams({ intent: "transfer" });
  await fetch(hosted_invoice_url ?? "", { method: "POST", body, redirect: "manual" });
  await advanceTo(start + 20 * day);
  expect((await onlyInvoice()).status).toBe("paid");
  expect(await statusOf(customer)).toEqual(["pro active"]);
  expect(await textAt(visitor, "/dashboard/billing")).not.toContain("is due by");
  expect((await planPage(visitor)).words).toContain("You pay this plan by invoice");
});

test("an invoice that is overdue is said so, and asks for no card", async () => {
  const { visitor, customer, start } = await orderByInvoice();
  await stripe.subscriptions.list();
  await advanceTo(start + 15 * day);
  expect(await statusOf(customer)).toEqual(["pro past_due"]);
  const billing = await textAt(visitor, "/dashboard/billing");
  expect(billing).toContain("If it stays unpaid, your plan ends");
  expect(billing).not.toContain("your card was declined");
});
