import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  client,
  eventTypes,
  openCheckout,
  refusal,
  startFake,
  startWebhookReceiver,
  submit,
  subscribe,
} from "../../support/billing/stripe-fake.ts";

test("refuses to start in production", async () => {
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = "production";
  try {
    await expect(startFake()).rejects.toThrow("refuses production");
  } finally {
    process.env.NODE_ENV = before;
  }
});

test("only the secret key opens the API", async () => {
  await using fake = await startFake();
  const wrong = await refusal(client("sk_test_somebody_elses").customers.list());
  expect(wrong).toMatchObject({ type: "StripeAuthenticationError", statusCode: 401 });
  expect(wrong.message).not.toContain("somebody");
  const none = await fetch(`${fake.url}/v1/customers`);
  expect(none.status).toBe(401);
  expect(none.headers.get("request-id")).toMatch(/^req_/);
  expect(await none.json()).toMatchObject({ error: { type: "invalid_request_error" } });
});

test("the API fails when a test sets a fault, and only where it is set", async () => {
  await using fake = await startFake();
  const { stripe, control } = fake;
  await control("faults", { mode: "error500" });
  expect(await refusal(stripe.customers.list())).toMatchObject({
    type: "StripeAPIError",
    statusCode: 500,
  });
  await control("faults", { mode: "garbage" });
  expect(await refusal(stripe.customers.list())).toMatchObject({ type: "StripeAPIError" });
  await control("faults", { mode: "refuse", match: "/v1/checkout" });
  expect(await refusal(openCheckout(fake))).toMatchObject({ type: "StripeConnectionError" });
  expect((await stripe.customers.list()).data).toEqual([]);
  await control("faults", { mode: "slow", delayMs: 5_000 });
  const hurried = client().customers.list({}, { timeout: 50 });
  expect(await refusal(hurried)).toMatchObject({ type: "StripeConnectionError" });
  await control("faults", { mode: "none" });
  expect((await stripe.checkout.sessions.list()).data).toEqual([]);
});

test("the controls answer with pages for people and refuse other sites", async () => {
  await using fake = await startFake();
  const { subscription, customer } = await subscribe(fake);
  const home = await (await fetch(`${fake.url}/_local`)).text();
  for (const part of [customer, subscription, "checkout.session.completed", "/c/pay/", "/i/in_"])
    expect(home).toContain(part);
  const renewed = await submit(`${fake.url}/_local/subscriptions/${subscription}/renew`, {});
  expect([renewed.status, renewed.headers.get("location")]).toEqual([303, "/_local"]);
  const foreign = await fetch(`${fake.url}/_local/reset`, {
    method: "POST",
    headers: { origin: "https://elsewhere.example" },
  });
  expect(foreign.status).toBe(403);
  const unknown = await fetch(`${fake.url}/_local/subscriptions/sub_no/renew`, {
    method: "POST",
  });
  expect(unknown.status).toBe(404);
});

test("a reset empties the account and ends waiting deliveries", async () => {
  await using fake = await startFake();
  await subscribe(fake);
  await fake.control("faults", { mode: "error500" });
  await fake.reset();
  expect((await fake.stripe.customers.list()).data).toEqual([]);
  expect((await fake.stripe.prices.list()).data).toHaveLength(4);
  expect(await eventTypes(fake)).toEqual([]);
  await using receiver = await startWebhookReceiver();
  await fake.stripe.customers.create({});
  await fake.control("events?settled=true");
  expect(receiver.events.map((event) => event.type)).toEqual(["customer.created"]);
});

test("the account survives a restart when it has a file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "stripe-fake-"));
  try {
    const file = join(folder, "stripe.json");
    let subscription = "";
    {
      await using fake = await startFake(file);
      subscription = (await subscribe(fake)).subscription;
    }
    await using receiver = await startWebhookReceiver();
    await using fake = await startFake(file);
    expect((await fake.stripe.subscriptions.retrieve(subscription)).status).toBe("active");
    await receiver.arrived(9);
    expect(receiver.problems).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
