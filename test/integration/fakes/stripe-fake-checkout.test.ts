import { expect, test, vi } from "vitest";
import {
  cards,
  eventTypes,
  openCheckout,
  pageOf,
  prices,
  refusal,
  returns,
  startFake,
  submit,
} from "../../support/billing/stripe-fake.ts";

test("the hosted page shows what is bought, without a script", async () => {
  await using fake = await startFake();
  const session = await openCheckout(fake, {
    line_items: [{ price: prices.pro, quantity: 1 }],
  });
  expect(session).toMatchObject({ status: "open", payment_status: "unpaid", customer: null });
  expect(session.url).toBe(pageOf(fake, session));
  const response = await fetch(pageOf(fake, session));
  const text = await response.text();
  expect(response.headers.get("content-type")).toContain("text/html");
  for (const part of [
    "<title>Checkout</title>",
    "<main",
    "Pro",
    "$999.99",
    "per year",
    '<label for="email">',
    '<label for="card">',
    'value="4242 4242 4242 4242"',
    "Pay and subscribe",
    "← Back",
    returns.cancel_url,
    "no money moves",
  ])
    expect(text).toContain(part);
  expect(text).not.toContain("<script");
});

test("paying makes an active subscription and leads back to the site", async () => {
  await using fake = await startFake();
  const session = await openCheckout(fake, {
    client_reference_id: "u-1",
    metadata: { user_id: "u-1" },
    subscription_data: { metadata: { user_id: "u-1" } },
  });
  const response = await submit(pageOf(fake, session), {
    email: "ann@example.com",
    card: cards.good,
  });
  expect(response.status).toBe(303);
  expect(response.headers.get("location")).toBe(
    `http://localhost:8787/success?session_id=${session.id}`,
  );
  const paid = await fake.stripe.checkout.sessions.retrieve(session.id, {
    expand: ["subscription.latest_invoice", "customer", "line_items.data.price"],
  });
  expect(paid).toMatchObject({
    status: "complete",
    payment_status: "paid",
    url: null,
    client_reference_id: "u-1",
    metadata: { user_id: "u-1" },
    customer: { email: "ann@example.com" },
    customer_details: { email: "ann@example.com" },
    line_items: { data: [{ price: { id: prices.basic }, quantity: 1 }] },
    subscription: {
      status: "active",
      metadata: { user_id: "u-1" },
      items: { data: [{ price: { id: prices.basic } }] },
      latest_invoice: { status: "paid", amount_paid: 10999, billing_reason: "subscription_create" },
    },
  });
  const subscription = paid.subscription;
  if (subscription === null || typeof subscription === "string") throw new Error("Not expanded.");
  const item = subscription.items.data[0];
  const days = ((item?.current_period_end ?? 0) - (item?.current_period_start ?? 0)) / 86_400;
  expect(days).toBeGreaterThanOrEqual(28);
  expect(days).toBeLessThanOrEqual(31);
});

test("a customer who is known is charged as that customer", async () => {
  await using fake = await startFake();
  const customer = await fake.stripe.customers.create({ email: "ann@example.com" });
  const session = await openCheckout(fake, { customer: customer.id });
  expect(await (await fetch(pageOf(fake, session))).text()).toContain("readonly");
  await submit(pageOf(fake, session), { email: "other@example.com", card: cards.good });
  const paid = await fake.stripe.checkout.sessions.retrieve(session.id);
  expect(paid.customer).toBe(customer.id);
  expect((await fake.stripe.customers.list()).data.map((each) => each.email)).toEqual([
    "ann@example.com",
  ]);
  const listed = await fake.stripe.subscriptions.list({ customer: customer.id });
  expect(listed.data.map((each) => each.id)).toEqual([paid.subscription]);
});

test("a declined or incomplete card and a missing address change nothing", async () => {
  await using fake = await startFake();
  const session = await openCheckout(fake);
  const tries = [
    { email: "ann@example.com", card: cards.declined, says: "Your card was declined." },
    { email: "ann@example.com", card: "4242", says: "Your card number is incomplete." },
    { email: "", card: cards.good, says: "Your email is required." },
  ];
  for (const { says, ...fields } of tries) {
    const response = await submit(pageOf(fake, session), fields);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain(says);
  }
  expect((await fake.stripe.customers.list()).data).toEqual([]);
  expect((await fake.stripe.subscriptions.list({ status: "all" })).data).toEqual([]);
  expect((await fake.stripe.invoices.list()).data).toEqual([]);
  expect(await eventTypes(fake)).toEqual([]);
  expect((await fake.stripe.checkout.sessions.retrieve(session.id)).status).toBe("open");
});

test("a paid session cannot be paid again", async () => {
  await using fake = await startFake();
  const session = await openCheckout(fake);
  const fields = { email: "ann@example.com", card: cards.good };
  const answers = await Promise.all([
    submit(pageOf(fake, session), fields),
    submit(pageOf(fake, session), fields),
  ]);
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 303]);
  expect(await (await fetch(pageOf(fake, session))).text()).toContain("all done here");
  expect((await fake.stripe.subscriptions.list({ status: "all" })).data).toHaveLength(1);
  expect((await fake.stripe.invoices.list()).data).toHaveLength(1);
});

test("an expired session cannot be paid", async () => {
  await using fake = await startFake();
  const session = await openCheckout(fake);
  const expired = await fake.stripe.checkout.sessions.expire(session.id);
  expect(expired).toMatchObject({ status: "expired", url: null });
  const response = await submit(pageOf(fake, session), {
    email: "ann@example.com",
    card: cards.good,
  });
  expect(await response.text()).toContain("expired");
  expect((await fake.stripe.subscriptions.list({ status: "all" })).data).toEqual([]);
  expect(await refusal(fake.stripe.checkout.sessions.expire(session.id))).toMatchObject({
    statusCode: 400,
  });
  expect(await eventTypes(fake)).toEqual(["checkout.session.expired"]);
});

test("a session expires after a day", async () => {
  await using fake = await startFake();
  const session = await openCheckout(fake);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 24 * 60 * 60 * 1000 + 1000 });
  try {
    expect(await (await fetch(pageOf(fake, session))).text()).toContain("expired");
    expect(await fake.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      status: "expired",
      url: null,
    });
  } finally {
    vi.useRealTimers();
  }
});
