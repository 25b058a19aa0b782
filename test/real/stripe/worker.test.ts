import { afterAll, afterEach, expect, inject, test } from "vitest";
import type { OfferKey } from "../../../app/content/plans.ts";
import { pauseMark } from "../../../app/features/billing/subscriptions/pause.server.ts";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { startFakes } from "../../../fakes/start-fakes.ts";
import { startWorker } from "../../../scripts/lib/worker.ts";
import { planPage, press } from "../../support/billing/plan-change.ts";
import { run } from "../../support/billing/stripe-setup-command.ts";
import { deliver, madeUpEvent } from "../../support/billing/webhook-delivery.ts";
import { runCommand } from "../../support/commands/run-command.ts";
import { database, userIdOf } from "../../support/database/database.ts";
import { startFaultProxy } from "../../support/faults/fault-proxy.ts";
import { portBase, siteUrl } from "../../support/site/own-site.ts";
import { siteVariables, variable } from "../../support/site/variables.ts";
import { Visitor } from "../../support/site/visitor.ts";
import { readDescription, templateOf, withoutNames } from "./description.ts";
import { fitting } from "./fitting-answers.ts";

/**
 * The shipped Worker and `stripe:setup` with stripe-mock as their Stripe. Its answers are the same for
 * everybody and fit no purchase, so what a person reads is not the point: that each request is accepted,
 * and that no answer of Stripe's form makes the site fail, is.
 */
const { mock, description: file } = inject("stripe");
const description = readDescription(file);
const exchanges: { request: string; status: number; text: string }[] = [];
/** The plan that runs, where a test needs one. */
let running: { offer?: OfferKey; but?: object } = {};
const stripeProxy = await startFaultProxy(mock);
stripeProxy.behave(async ({ method, path, body }, forward) => {
  const answer = await forward();
  const text = Buffer.from(answer.body).toString();
  exchanges.push({
    request: `${method} ${path} ${decodeURIComponent(body)}`,
    status: answer.status,
    text,
  });
  return { ...answer, body: fitting(text, running.offer, running.but) };
});
const withMock = { STRIPE_API_URL: stripeProxy.url, STRIPE_SECRET_KEY: "sk_test_proof" };
const fakes = await startFakes({
  variables: { ...siteVariables, ...withMock },
  siteUrl,
  portBase,
});
const worker = await startWorker(portBase + 4, (url) => ({
  ...exampleVariables({ siteUrl: url, portBase }),
  ...withMock,
}));

afterAll(async () => {
  await worker[Symbol.asyncDispose]();
  await fakes.close();
  await stripeProxy[Symbol.asyncDispose]();
});

/** All of it, and what comes is seen alone. */
function expectAccepted(): void {
  const all = exchanges.splice(0);
  expect(all.filter(({ status }) => status !== 200)).toEqual([]);
}

afterEach(() => {
  running = {};
  expectAccepted();
});

/** Every one of these was asked in this test; ids are `{}`. */
function expectAsked(...expected: string[]): void {
  const requests = exchanges.map(({ request }) => {
    const [method = "", path = ""] = request.split(/[ ?]/);
    return `${method} ${withoutNames(templateOf(description, method, path) ?? path)}`;
  });
  expect([...new Set(requests)]).toEqual(expect.arrayContaining(expected));
}

/** Somebody with a customer at Stripe; the same one in each test. */
async function customer(email: string): Promise<{ visitor: Visitor; userId: string }> {
  const visitor = new Visitor();
  await visitor.signInWithGoogle(email);
  const userId = await userIdOf(email);
  const id = `cus_${userId.replaceAll("-", "")}`;
  await database
    .from("customers")
    .upsert({ id, user_id: userId, origin: "account", email })
    .throwOnError();
  return { visitor, userId };
}

/** Pages and answers may be refusals, which a person can read; never an error page. */
function expectToHold(response: Response): void {
  expect(response.status).not.toBe(500);
}

test("a guest and a customer start a checkout", async () => {
  for (const plan of ["basic", "pro"]) expectToHold(await new Visitor().post("/pricing", { plan }));
  const { visitor, userId } = await customer("customer.one@example.com");
  for (const name of ["BASIC", "PRO", "MONTHLY", "YEARLY"])
    expectToHold(
      await visitor.request("/api/create-checkout-session", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ priceId: variable(`STRIPE_PRICE_${name}`), userId }),
      }),
    );
  expectAsked(
    "POST /v1/checkout/sessions",
    "GET /v1/checkout/sessions",
    "GET /v1/customers/{}",
    "GET /v1/subscriptions",
  );
});

test("what a customer sees and does about their plan is asked for as Stripe takes it", async () => {
  const { visitor } = await customer("customer.two@example.com");
  expectToHold(await visitor.request("/success?session_id=cs_test_a1b2c3"));
  expectToHold(await visitor.post("/dashboard/billing", {}));
  for (const path of ["", "/billing", "/plan"])
    expectToHold(await visitor.request(`/dashboard${path}`));
  expectAsked("GET /v1/checkout/sessions/{}", "POST /v1/billing_portal/sessions");
});

test("a plan is changed, up and down, cancelled and resumed in a form that Stripe takes", async () => {
  const { visitor } = await customer("customer.two@example.com");
  const up = "?to=pro";
  running = { offer: "basic" };
  await press(visitor, await planPage(visitor, up), "change", { query: up });
  expectAsked("POST /v1/invoices/create_preview", "POST /v1/subscriptions/{}");

  const down = "?to=basic";
  running = { offer: "pro" };
  await press(visitor, await planPage(visitor, down), "change", { query: down });
  expectAsked("POST /v1/subscription_schedules", "POST /v1/subscription_schedules/{}");

  expectAccepted();
  await press(visitor, await planPage(visitor), "cancel");
  expectAsked("POST /v1/subscriptions/{}");

  expectAccepted();
  const cancel_at = Math.floor(Date.now() / 1_000) + 86_400;
  running = { offer: "pro", but: { cancel_at_period_end: true, cancel_at } };
  await press(visitor, await planPage(visitor), "resume");
  expectAsked("POST /v1/subscriptions/{}");
});

test("a plan by the month is paused, and runs again, in a form that Stripe takes", async () => {
  const { visitor } = await customer("customer.two@example.com");
  running = { offer: "basic", but: { latest_invoice: { object: "invoice", status: "paid" } } };
  const page = await planPage(visitor);
  const html = await (await visitor.request("/dashboard/plan")).text();
  const until = /<option value="(\d{10})"/.exec(html)?.[1] ?? "";
  await press(visitor, page, "pause", { fields: { until } });
  expectAsked("POST /v1/subscriptions/{}");

  expectAccepted();
  const resumes_at = Number(until);
  const mark = { [pauseMark]: "1" };
  running = {
    offer: "basic",
    but: { pause_collection: { behavior: "void", resumes_at }, metadata: mark },
  };
  await press(visitor, await planPage(visitor), "unpause");
  expectAsked("POST /v1/subscriptions/{}");
});

test("what is on invoices is written in a form that Stripe takes", async () => {
  const { visitor } = await customer("customer.two@example.com");
  const address = { country: "DE", line1: "Street 1", city: "Berlin" };
  const taxId = { taxIdType: "eu_vat", taxId: "DE987654321" };
  const given = { intent: "details", company: "Okapi Ltd", purchaseOrder: "PO-4711" };
  expectToHold(await visitor.post("/dashboard/billing", { ...given, ...address, ...taxId }));
  expectAsked("POST /v1/customers/{}", "POST /v1/customers/{}/tax_ids");
});

test("a webhook and the reconciliation read what Stripe says", async () => {
  const event = madeUpEvent("customer.subscription.updated", {
    object: "subscription",
    id: "sub_1",
    customer: "cus_1",
  });
  expectToHold(await deliver(event));
  await worker.runScheduled();
  expectAsked("GET /v1/customers/{}", "GET /v1/subscriptions", "GET /v1/customers");
});

test("an account that is deleted ends its plan at Stripe", async () => {
  const email = "customer.one@example.com";
  const visitor = new Visitor();
  await visitor.signInWithGoogle(email);
  expectToHold(await visitor.post("/dashboard/account", { intent: "delete", confirmation: email }));
});

test("stripe:check asks in a form that Stripe takes, also where a rule refuses it", async () => {
  // Answers of stripe-mock fit no purchase, so what the check says of them is not the point.
  await runCommand("scripts/stripe-check/stripe-check.ts", [], { environment: withMock });
  expectAsked(
    "POST /v1/subscriptions",
    "POST /v1/subscriptions/{}",
    "POST /v1/invoices/create_preview",
    "POST /v1/subscription_schedules/{}",
    "POST /v1/checkout/sessions",
    "POST /v1/refunds",
    "GET /v1/charges",
    "POST /v1/invoices/{}/finalize",
    "POST /v1/customers/{}/tax_ids",
    "POST /v1/billing_portal/sessions",
    "GET /v1/webhook_endpoints",
    "DELETE /v1/customers/{}",
  );
});

test("stripe:setup writes and compares in a form that Stripe takes", async () => {
  const settings = {
    ...withMock,
    SITE_URL: "https://livekit-deploy.example",
  };
  await run([], settings);
  await run(["--dry-run"], settings);
  expectAsked(
    "GET /v1/products/{}",
    "POST /v1/prices",
    "POST /v1/billing_portal/configurations",
    "POST /v1/webhook_endpoints",
  );
});
