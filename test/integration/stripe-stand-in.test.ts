import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Stripe from "stripe";
import { expect, test, vi } from "vitest";
import { startStripeStandIn } from "../../local/stripe/stand-in.ts";

const secretKey = "sk_test_stand_in_0123456789";
const webhookSecret = "whsec_stand_in_test";
const ports = { standIn: 24610, receiver: 24611 };
const prices = {
  basic: "price_test_basic",
  pro: "price_test_pro",
  monthly: "price_test_monthly",
  yearly: "price_test_yearly",
};
const cards = {
  good: "4242 4242 4242 4242",
  declined: "4000 0000 0000 0002",
  failsLater: "4000 0000 0000 0341",
};

function client(key = secretKey) {
  return new Stripe(key, {
    host: "127.0.0.1",
    port: ports.standIn,
    protocol: "http",
    maxNetworkRetries: 0,
    telemetry: false,
  });
}

/** A webhook endpoint that checks signatures and answers as it is told, 200 by default. */
async function startReceiver(answers: number[] = []) {
  const events: Stripe.Event[] = [];
  const problems: unknown[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    try {
      const signature = request.headers["stripe-signature"] ?? "";
      const payload = Buffer.concat(chunks);
      events.push(Stripe.webhooks.constructEvent(payload, signature, webhookSecret));
    } catch (problem) {
      problems.push(problem);
    }
    response.writeHead(answers.shift() ?? 200).end();
    for (const { count, resolve } of waiting) if (events.length >= count) resolve();
  });
  server.listen(ports.receiver, "127.0.0.1");
  await once(server, "listening");
  return {
    events,
    problems,
    arrived: (count: number) =>
      new Promise<void>((resolve) => {
        if (events.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function startStandIn(persistTo?: string) {
  const { url, reset, close } = await startStripeStandIn({
    port: ports.standIn,
    secretKey,
    webhook: { url: `http://127.0.0.1:${ports.receiver}/hook`, secret: webhookSecret },
    prices,
    ...(persistTo ? { persistTo } : {}),
  });
  async function control<Answer = unknown>(path: string, body?: object) {
    const response = await fetch(`${url}/_local/${path}`, {
      method: body ? "POST" : "GET",
      ...(body
        ? { body: JSON.stringify(body), headers: { "content-type": "application/json" } }
        : {}),
    });
    expect(response.status).toBe(200);
    const answer: Answer = await response.json();
    return answer;
  }
  return { url, reset, control, stripe: client(), [Symbol.asyncDispose]: close };
}

type StandIn = Awaited<ReturnType<typeof startStandIn>>;

const returns = {
  success_url: "http://localhost:8787/success?session_id={CHECKOUT_SESSION_ID}",
  cancel_url: "http://localhost:8787/pricing",
};

function openCheckout(
  { stripe }: StandIn,
  given: Partial<Stripe.Checkout.SessionCreateParams> = {},
): Promise<Stripe.Checkout.Session> {
  return stripe.checkout.sessions.create({
    mode: "subscription",
    allowed_payment_method_types: ["card"],
    line_items: [{ price: prices.basic, quantity: 1 }],
    allow_promotion_codes: true,
    ...returns,
    ...given,
  });
}

function pageOf({ url }: StandIn, session: Stripe.Checkout.Session) {
  return `${url}/c/pay/${session.id}`;
}

function submit(url: string, fields: Record<string, string>) {
  return fetch(url, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });
}

async function subscribe(standIn: StandIn, card = cards.good) {
  const session = await openCheckout(standIn);
  const response = await submit(pageOf(standIn, session), { email: "ann@example.com", card });
  expect(response.status).toBe(303);
  const paid = await standIn.stripe.checkout.sessions.retrieve(session.id);
  return {
    session: paid,
    subscription: String(paid.subscription),
    customer: String(paid.customer),
  };
}

async function refusal(request: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const outcome = await request.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof Stripe.errors.StripeError) return outcome;
  throw new Error("The request was not refused by Stripe.");
}

async function eventTypes(standIn: StandIn) {
  const events = await standIn.control<Stripe.Event[]>("events");
  return events.map((event) => event.type);
}

test("refuses to start in production", async () => {
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = "production";
  try {
    await expect(startStandIn()).rejects.toThrow("refuses production");
  } finally {
    process.env.NODE_ENV = before;
  }
});

test("only the secret key opens the API", async () => {
  await using standIn = await startStandIn();
  const wrong = await refusal(client("sk_test_somebody_elses").customers.list());
  expect(wrong).toMatchObject({ type: "StripeAuthenticationError", statusCode: 401 });
  expect(wrong.message).not.toContain("somebody");
  const none = await fetch(`${standIn.url}/v1/customers`);
  expect(none.status).toBe(401);
  expect(none.headers.get("request-id")).toMatch(/^req_/);
  expect(await none.json()).toMatchObject({ error: { type: "invalid_request_error" } });
});

test("customers are created, changed, found and deleted", async () => {
  await using standIn = await startStandIn();
  const { customers } = standIn.stripe;
  const made = await customers.create({
    email: "ann@example.com",
    metadata: { user_id: "u-1", plan: "none" },
  });
  const changed = await customers.update(made.id, { name: "Ann", metadata: { plan: "" } });
  expect(changed).toMatchObject({ name: "Ann", metadata: { user_id: "u-1" } });
  expect(changed.metadata.plan).toBeUndefined();
  expect((await customers.list({ email: "ann@example.com" })).data).toHaveLength(1);
  expect((await customers.list({ email: "bob@example.com" })).data).toHaveLength(0);
  const found = await customers.search({ query: "metadata['user_id']:'u-1'" });
  expect(found.data.map((customer) => customer.id)).toEqual([made.id]);
  await customers.del(made.id);
  const { id, object, deleted } = await customers.retrieve(made.id);
  expect({ id, object, deleted }).toEqual({ id: made.id, object: "customer", deleted: true });
  expect(await refusal(customers.update(made.id, { name: "Bob" }))).toMatchObject({
    statusCode: 404,
    code: "resource_missing",
  });
});

test("lists come in pages, newest first", async () => {
  await using standIn = await startStandIn();
  const { customers } = standIn.stripe;
  const ids: string[] = [];
  for (let number = 1; number <= 5; number++)
    ids.unshift((await customers.create({ email: `p${number}@example.com` })).id);
  const first = await customers.list({ limit: 2 });
  expect(first).toMatchObject({ has_more: true, url: "/v1/customers" });
  expect(first.data.map((customer) => customer.id)).toEqual(ids.slice(0, 2));
  const last = await customers.list({ limit: 3, starting_after: ids[1] ?? "" });
  expect(last.has_more).toBe(false);
  expect(last.data.map((customer) => customer.id)).toEqual(ids.slice(2));
  const before = await customers.list({ limit: 2, ending_before: ids[3] ?? "" });
  expect(before.data.map((customer) => customer.id)).toEqual(ids.slice(1, 3));
  const all = await customers.list({ limit: 2 }).autoPagingToArray({ limit: 100 });
  expect(all.map((customer) => customer.id)).toEqual(ids);
});

test("the catalogue holds what the site sells", async () => {
  await using standIn = await startStandIn();
  const listed = await standIn.stripe.prices.list({
    lookup_keys: ["basic", "pro", "monthly", "yearly"],
    expand: ["data.product"],
  });
  const shown = listed.data.map(({ id, lookup_key, unit_amount, recurring, product }) => [
    lookup_key,
    id,
    unit_amount,
    recurring?.interval,
    typeof product === "object" && !product.deleted ? product.name : product,
  ]);
  expect(shown.toSorted()).toEqual([
    ["basic", prices.basic, 10999, "month", "Basic"],
    ["monthly", prices.monthly, 10999, "month", "Basic"],
    ["pro", prices.pro, 99999, "year", "Pro"],
    ["yearly", prices.yearly, 99900, "year", "Pro"],
  ]);
});

test("a lookup key moves to another price only when that is asked for", async () => {
  await using standIn = await startStandIn();
  const { stripe } = standIn;
  const product = await stripe.products.create({ name: "Basic again" });
  const terms = {
    product: product.id,
    currency: "usd",
    unit_amount: 500,
    recurring: { interval: "month" },
    lookup_key: "basic",
  } as const;
  expect(await refusal(stripe.prices.create(terms))).toMatchObject({ statusCode: 400 });
  const price = await stripe.prices.create({ ...terms, transfer_lookup_key: true });
  expect(String(price.unit_amount_decimal)).toBe("500");
  expect((await stripe.prices.retrieve(prices.basic)).lookup_key).toBeNull();
});

test("wrong requests get Stripe's errors and do nothing", async () => {
  await using standIn = await startStandIn();
  const { stripe, url } = standIn;
  const unknownParameter = { email: "ann@example.com", nickname: "Ann" };
  expect(await refusal(stripe.customers.create(unknownParameter))).toMatchObject({
    type: "StripeInvalidRequestError",
    statusCode: 400,
    code: "parameter_unknown",
    param: "nickname",
    message: "Received unknown parameter: nickname",
  });
  expect(await refusal(openCheckout(standIn, { line_items: undefined }))).toMatchObject({
    statusCode: 400,
    code: "parameter_missing",
    param: "line_items",
  });
  expect(await refusal(openCheckout(standIn, { success_url: "success" }))).toMatchObject({
    code: "url_invalid",
    param: "success_url",
  });
  const noPrice = openCheckout(standIn, { line_items: [{ price: "price_no", quantity: 1 }] });
  expect(await refusal(noPrice)).toMatchObject({
    statusCode: 400,
    code: "resource_missing",
    param: "line_items[0][price]",
  });
  expect(await refusal(stripe.subscriptions.retrieve("sub_no"))).toMatchObject({
    statusCode: 404,
    code: "resource_missing",
  });
  expect(await refusal(stripe.subscriptions.list({ customer: "cus_no" }))).toMatchObject({
    statusCode: 400,
    param: "customer",
  });
  for (const field of ["nothing", "id", "currency"])
    expect(await refusal(stripe.prices.list({ expand: [`data.${field}`] }))).toMatchObject({
      statusCode: 400,
      param: "expand",
    });
  const nowhere = await fetch(`${url}/v1/nowhere`, {
    headers: { authorization: `Bearer ${secretKey}` },
  });
  expect(nowhere.status).toBe(404);
  expect(await nowhere.json()).toMatchObject({ error: { type: "invalid_request_error" } });
  expect(await eventTypes(standIn)).toEqual([]);
});

test("an idempotency key replays the same request and refuses another", async () => {
  await using standIn = await startStandIn();
  const { customers } = standIn.stripe;
  const key = { idempotencyKey: "one-customer" };
  const made = await customers.create({ email: "ann@example.com" }, key);
  const again = await customers.create({ email: "ann@example.com" }, key);
  expect(again.id).toBe(made.id);
  expect(again.lastResponse.headers["idempotent-replayed"]).toBe("true");
  expect(again.lastResponse.headers["original-request"]).toBe(made.lastResponse.requestId);
  expect(await refusal(customers.create({ email: "bob@example.com" }, key))).toMatchObject({
    type: "StripeIdempotencyError",
    statusCode: 400,
  });
  const many = await Promise.all(
    Array.from({ length: 5 }, () =>
      customers.create({ email: "cid@example.com" }, { idempotencyKey: "at-once" }),
    ),
  );
  expect(new Set(many.map((customer) => customer.id)).size).toBe(1);
  expect((await customers.list()).data).toHaveLength(2);
  const requests =
    await standIn.control<{ path: string; idempotencyKey: string; status: number }[]>("requests");
  expect(requests[0]).toMatchObject({
    path: "/v1/customers",
    params: { email: "ann@example.com" },
    idempotencyKey: "one-customer",
    status: 200,
  });
});

test("a refused request leaves its idempotency key free", async () => {
  await using standIn = await startStandIn();
  const { customers } = standIn.stripe;
  const key = { idempotencyKey: "second-try" };
  await refusal(customers.create({ email: "not an address" }, key));
  expect((await customers.create({ email: "ann@example.com" }, key)).email).toBe("ann@example.com");
});

test("the hosted page shows what is bought, without a script", async () => {
  await using standIn = await startStandIn();
  const session = await openCheckout(standIn, {
    line_items: [{ price: prices.pro, quantity: 1 }],
  });
  expect(session).toMatchObject({ status: "open", payment_status: "unpaid", customer: null });
  expect(session.url).toBe(pageOf(standIn, session));
  const response = await fetch(pageOf(standIn, session));
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
  await using standIn = await startStandIn();
  const session = await openCheckout(standIn, {
    client_reference_id: "u-1",
    metadata: { user_id: "u-1" },
    subscription_data: { metadata: { user_id: "u-1" } },
  });
  const response = await submit(pageOf(standIn, session), {
    email: "ann@example.com",
    card: cards.good,
  });
  expect(response.status).toBe(303);
  expect(response.headers.get("location")).toBe(
    `http://localhost:8787/success?session_id=${session.id}`,
  );
  const paid = await standIn.stripe.checkout.sessions.retrieve(session.id, {
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

test("how payment methods are chosen depends on the API version, as in Stripe's changelog", async () => {
  await using standIn = await startStandIn();
  const open = (name: string, version?: string) =>
    fetch(`${standIn.url}/v1/checkout/sessions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${secretKey}`,
        ...(version ? { "stripe-version": version } : {}),
      },
      body: new URLSearchParams({
        mode: "subscription",
        "line_items[0][price]": prices.basic,
        [`${name}[0]`]: "card",
        success_url: returns.success_url,
      }),
    });
  for (const version of [undefined, "2026-09-30.endive", "2026-10-28.endive"]) {
    const refused = await open("payment_method_types", version);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      error: { code: "parameter_unknown", param: "payment_method_types" },
    });
    expect((await open("allowed_payment_method_types", version)).status).toBe(200);
  }
  expect((await open("payment_method_types", "2026-08-26.dahlia")).status).toBe(200);
  expect((await open("allowed_payment_method_types", "2026-08-26.dahlia")).status).toBe(400);
});

test("a customer who is known is charged as that customer", async () => {
  await using standIn = await startStandIn();
  const customer = await standIn.stripe.customers.create({ email: "ann@example.com" });
  const session = await openCheckout(standIn, { customer: customer.id });
  expect(await (await fetch(pageOf(standIn, session))).text()).toContain("readonly");
  await submit(pageOf(standIn, session), { email: "other@example.com", card: cards.good });
  const paid = await standIn.stripe.checkout.sessions.retrieve(session.id);
  expect(paid.customer).toBe(customer.id);
  expect((await standIn.stripe.customers.list()).data.map((each) => each.email)).toEqual([
    "ann@example.com",
  ]);
  const listed = await standIn.stripe.subscriptions.list({ customer: customer.id });
  expect(listed.data.map((each) => each.id)).toEqual([paid.subscription]);
});

test("a declined or incomplete card and a missing address change nothing", async () => {
  await using standIn = await startStandIn();
  const session = await openCheckout(standIn);
  const tries = [
    { email: "ann@example.com", card: cards.declined, says: "Your card was declined." },
    { email: "ann@example.com", card: "4242", says: "Your card number is incomplete." },
    { email: "", card: cards.good, says: "Your email is required." },
  ];
  for (const { says, ...fields } of tries) {
    const response = await submit(pageOf(standIn, session), fields);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain(says);
  }
  expect((await standIn.stripe.customers.list()).data).toEqual([]);
  expect((await standIn.stripe.subscriptions.list({ status: "all" })).data).toEqual([]);
  expect((await standIn.stripe.invoices.list()).data).toEqual([]);
  expect(await eventTypes(standIn)).toEqual([]);
  expect((await standIn.stripe.checkout.sessions.retrieve(session.id)).status).toBe("open");
});

test("a paid session cannot be paid again", async () => {
  await using standIn = await startStandIn();
  const session = await openCheckout(standIn);
  const fields = { email: "ann@example.com", card: cards.good };
  const answers = await Promise.all([
    submit(pageOf(standIn, session), fields),
    submit(pageOf(standIn, session), fields),
  ]);
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 303]);
  expect(await (await fetch(pageOf(standIn, session))).text()).toContain("all done here");
  expect((await standIn.stripe.subscriptions.list({ status: "all" })).data).toHaveLength(1);
  expect((await standIn.stripe.invoices.list()).data).toHaveLength(1);
});

test("an expired session cannot be paid", async () => {
  await using standIn = await startStandIn();
  const session = await openCheckout(standIn);
  const expired = await standIn.stripe.checkout.sessions.expire(session.id);
  expect(expired).toMatchObject({ status: "expired", url: null });
  const response = await submit(pageOf(standIn, session), {
    email: "ann@example.com",
    card: cards.good,
  });
  expect(await response.text()).toContain("expired");
  expect((await standIn.stripe.subscriptions.list({ status: "all" })).data).toEqual([]);
  expect(await refusal(standIn.stripe.checkout.sessions.expire(session.id))).toMatchObject({
    statusCode: 400,
  });
  expect(await eventTypes(standIn)).toEqual(["checkout.session.expired"]);
});

test("a session expires after a day", async () => {
  await using standIn = await startStandIn();
  const session = await openCheckout(standIn);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 24 * 60 * 60 * 1000 + 1000 });
  try {
    expect(await (await fetch(pageOf(standIn, session))).text()).toContain("expired");
    expect(await standIn.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      status: "expired",
      url: null,
    });
  } finally {
    vi.useRealTimers();
  }
});

test("a paid checkout sends signed events in Stripe's order", async () => {
  await using receiver = await startReceiver();
  await using standIn = await startStandIn();
  await subscribe(standIn);
  const types = [
    "customer.created",
    "payment_method.attached",
    "customer.subscription.created",
    "invoice.created",
    "invoice.finalized",
    "invoice.paid",
    "invoice.payment_succeeded",
    "customer.subscription.updated",
    "checkout.session.completed",
  ];
  const stored =
    await standIn.control<(Stripe.Event & { deliveries: { state: string }[] })[]>(
      "events?settled=true",
    );
  expect(stored.map((event) => event.type)).toEqual(types);
  expect(stored.flatMap((event) => event.deliveries.map((each) => each.state))).toEqual(
    types.map(() => "delivered"),
  );
  expect(receiver.problems).toEqual([]);
  expect(receiver.events.map((event) => event.type).toSorted()).toEqual(types.toSorted());
  const created = receiver.events.find((event) => event.type === "customer.subscription.created");
  expect(created).toMatchObject({
    api_version: "2026-10-28.endive",
    data: { object: { status: "incomplete" } },
  });
  const updated = receiver.events.find((event) => event.type === "customer.subscription.updated");
  expect(updated?.data.object).toMatchObject({ status: "active" });
  expect(updated?.data.previous_attributes).toMatchObject({ status: "incomplete" });
  const [newest] = (await standIn.stripe.events.list({ type: "checkout.session.completed" })).data;
  expect(newest?.id).toBe(stored.at(-1)?.id);
});

test("a delivery that failed is tried again", async () => {
  await using receiver = await startReceiver([500]);
  await using standIn = await startStandIn();
  await standIn.stripe.customers.create({ email: "ann@example.com" });
  await receiver.arrived(2);
  expect(new Set(receiver.events.map((event) => event.id)).size).toBe(1);
  const [event] =
    await standIn.control<{ deliveries: { attempts: { status: number }[] }[] }[]>(
      "events?settled=true",
    );
  expect(event?.deliveries[0]).toMatchObject({
    state: "delivered",
    attempts: [{ status: 500 }, { status: 200 }],
  });
});

test("paused webhooks wait, and can be delivered one by one in any order", async () => {
  await using receiver = await startReceiver();
  await using standIn = await startStandIn();
  await standIn.control("webhooks", { paused: true });
  const first = await standIn.stripe.customers.create({ email: "ann@example.com" });
  await standIn.stripe.customers.update(first.id, { name: "Ann" });
  const events = await standIn.control<Stripe.Event[]>("events?settled=true");
  expect(receiver.events).toEqual([]);
  for (const event of [events[1], events[0], events[0]])
    await standIn.control(`events/${event?.id}/deliver`, {});
  expect(receiver.events.map((event) => event.type)).toEqual([
    "customer.updated",
    "customer.created",
    "customer.created",
  ]);
  await standIn.stripe.customers.update(first.id, { name: "Anna" });
  await standIn.control("webhooks", { paused: false });
  await receiver.arrived(4);
  expect(receiver.events).toHaveLength(4);
});

test("an unreachable endpoint does not hold up the answer", async () => {
  await using standIn = await startStandIn();
  await subscribe(standIn);
  const [event] =
    await standIn.control<{ deliveries: { attempts: { error: string }[] }[] }[]>(
      "events?settled=true",
    );
  expect(event?.deliveries[0]).toMatchObject({ state: "pending", attempts: [{ status: null }] });
});

test("an endpoint made through the API gets its own events with its own secret", async () => {
  await using standIn = await startStandIn();
  const { stripe } = standIn;
  const made = await stripe.webhookEndpoints.create({
    url: `http://127.0.0.1:${ports.receiver}/other`,
    enabled_events: ["customer.deleted"],
  });
  expect(made.secret).toMatch(/^whsec_/);
  expect((await stripe.webhookEndpoints.list()).data.map((each) => each.secret)).toEqual([
    undefined,
    undefined,
  ]);
  const customer = await stripe.customers.create({});
  await stripe.customers.del(customer.id);
  const events =
    await standIn.control<{ type: string; deliveries: { endpoint: string }[] }[]>(
      "events?settled=true",
    );
  expect(events.map((event) => [event.type, event.deliveries.length])).toEqual([
    ["customer.created", 1],
    ["customer.deleted", 2],
  ]);
});

test("a renewal is paid and the next period begins", async () => {
  await using standIn = await startStandIn();
  const { subscription, customer } = await subscribe(standIn);
  const before = await standIn.stripe.subscriptions.retrieve(subscription);
  await standIn.control(`subscriptions/${subscription}/renew`, {});
  const after = await standIn.stripe.subscriptions.retrieve(subscription);
  expect(after.status).toBe("active");
  expect(after.items.data[0]?.current_period_start).toBe(before.items.data[0]?.current_period_end);
  const invoices = await standIn.stripe.invoices.list({ customer, subscription });
  expect(invoices.data.map(({ status, billing_reason }) => [status, billing_reason])).toEqual([
    ["paid", "subscription_cycle"],
    ["paid", "subscription_create"],
  ]);
  expect((await eventTypes(standIn)).slice(9)).toEqual([
    "invoice.created",
    "customer.subscription.updated",
    "invoice.finalized",
    "invoice.paid",
    "invoice.payment_succeeded",
  ]);
});

test("a renewal that fails leaves the subscription past due until a good card pays", async () => {
  await using standIn = await startStandIn();
  const { subscription, customer } = await subscribe(standIn, cards.failsLater);
  const status = async () => (await standIn.stripe.subscriptions.retrieve(subscription)).status;
  expect(await status()).toBe("active");
  await standIn.control(`subscriptions/${subscription}/renew`, {});
  expect(await status()).toBe("past_due");
  await standIn.control(`subscriptions/${subscription}/pay`, {});
  expect(await status()).toBe("past_due");
  const [open] = (await standIn.stripe.invoices.list({ customer, status: "open" })).data;
  expect(open).toMatchObject({ attempt_count: 2, amount_remaining: 10999 });
  await standIn.control(`customers/${customer}/card`, { behaviour: "good" });
  expect(await status()).toBe("past_due");
  await standIn.control(`subscriptions/${subscription}/pay`, {});
  expect(await status()).toBe("active");
  expect((await eventTypes(standIn)).slice(9)).toEqual([
    "invoice.created",
    "customer.subscription.updated",
    "invoice.finalized",
    "invoice.payment_failed",
    "customer.subscription.updated",
    "invoice.payment_failed",
    "payment_method.attached",
    "customer.updated",
    "customer.subscription.updated",
    "invoice.paid",
    "invoice.payment_succeeded",
    "customer.subscription.updated",
  ]);
});

test("a subscription cancelled at the period's end goes on until then", async () => {
  await using standIn = await startStandIn();
  const { subscription, customer } = await subscribe(standIn);
  const { subscriptions } = standIn.stripe;
  const ending = await subscriptions.update(subscription, { cancel_at_period_end: true });
  expect(ending).toMatchObject({ status: "active", cancel_at_period_end: true });
  expect(ending.cancel_at).toBe(ending.items.data[0]?.current_period_end);
  await standIn.control(`subscriptions/${subscription}/renew`, {});
  const ended = await subscriptions.retrieve(subscription);
  expect(ended).toMatchObject({ status: "canceled", ended_at: ending.cancel_at });
  expect((await subscriptions.list({ customer })).data).toEqual([]);
  expect((await subscriptions.list({ customer, status: "all" })).data).toHaveLength(1);
  expect((await eventTypes(standIn)).slice(9)).toEqual([
    "customer.subscription.updated",
    "customer.subscription.deleted",
  ]);
});

test("a subscription can be cancelled at once, once", async () => {
  await using standIn = await startStandIn();
  const { subscription } = await subscribe(standIn);
  expect((await standIn.stripe.subscriptions.cancel(subscription)).status).toBe("canceled");
  expect(await refusal(standIn.stripe.subscriptions.cancel(subscription))).toMatchObject({
    statusCode: 404,
  });
  const update = standIn.stripe.subscriptions.update(subscription, { cancel_at_period_end: true });
  expect(await refusal(update)).toMatchObject({ statusCode: 400 });
});

test("a subscription changes to a price with another interval and is charged for it", async () => {
  await using standIn = await startStandIn();
  const { subscription } = await subscribe(standIn);
  const before = await standIn.stripe.subscriptions.retrieve(subscription);
  const item = before.items.data[0]?.id ?? "";
  const after = await standIn.stripe.subscriptions.update(subscription, {
    items: [{ id: item, price: prices.pro }],
    expand: ["latest_invoice"],
  });
  expect(after.items.data).toMatchObject([{ id: item, price: { id: prices.pro } }]);
  expect(after.latest_invoice).toMatchObject({ amount_paid: 99999, status: "paid" });
});

test("the portal shows the plan, cancels it, keeps it and changes the card", async () => {
  await using standIn = await startStandIn();
  const { subscription, customer } = await subscribe(standIn, cards.failsLater);
  const portal = await standIn.stripe.billingPortal.sessions.create({
    customer,
    return_url: "http://localhost:8787/dashboard",
  });
  const shown = await (await fetch(portal.url)).text();
  for (const part of ["Basic", "$109.99", "Cancel plan", "ending in 0341", "Return to", "/i/in_"])
    expect(shown).toContain(part);
  const state = () => standIn.stripe.subscriptions.retrieve(subscription);

  const cancelled = await submit(portal.url, { intent: "cancel", subscription });
  expect(cancelled.status).toBe(303);
  expect(await state()).toMatchObject({ status: "active", cancel_at_period_end: true });
  expect(await (await fetch(portal.url)).text()).toContain("Don&#39;t cancel");
  await submit(portal.url, { intent: "renew", subscription });
  expect(await state()).toMatchObject({ cancel_at_period_end: false, cancel_at: null });

  await standIn.control(`subscriptions/${subscription}/renew`, {});
  expect((await state()).status).toBe("past_due");
  await submit(portal.url, { intent: "good" });
  expect((await state()).status).toBe("active");
});

test("the portal does not touch another customer's subscription", async () => {
  await using standIn = await startStandIn();
  const { subscription } = await subscribe(standIn);
  const stranger = await standIn.stripe.customers.create({ email: "bob@example.com" });
  const portal = await standIn.stripe.billingPortal.sessions.create({ customer: stranger.id });
  await submit(portal.url, { intent: "cancel", subscription });
  expect(await standIn.stripe.subscriptions.retrieve(subscription)).toMatchObject({
    cancel_at_period_end: false,
  });
});

test("portal configurations are created, listed and changed", async () => {
  await using standIn = await startStandIn();
  const { configurations } = standIn.stripe.billingPortal;
  const made = await configurations.create({
    business_profile: { headline: "LiveKit Deploy" },
    features: {
      invoice_history: { enabled: true },
      subscription_cancel: { enabled: true, mode: "at_period_end" },
    },
  });
  expect(made.features.payment_method_update.enabled).toBe(false);
  const changed = await configurations.update(made.id, {
    features: { payment_method_update: { enabled: true } },
  });
  expect(changed.features).toMatchObject({
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
  });
  expect((await configurations.list({ is_default: true })).data).toHaveLength(1);
});

test("the API misbehaves when it is told to, and only where it is told to", async () => {
  await using standIn = await startStandIn();
  const { stripe, control } = standIn;
  await control("faults", { mode: "error500" });
  expect(await refusal(stripe.customers.list())).toMatchObject({
    type: "StripeAPIError",
    statusCode: 500,
  });
  await control("faults", { mode: "garbage" });
  expect(await refusal(stripe.customers.list())).toMatchObject({ type: "StripeAPIError" });
  await control("faults", { mode: "refuse", match: "/v1/checkout" });
  expect(await refusal(openCheckout(standIn))).toMatchObject({ type: "StripeConnectionError" });
  expect((await stripe.customers.list()).data).toEqual([]);
  await control("faults", { mode: "slow", delayMs: 5_000 });
  const hurried = client().customers.list({}, { timeout: 50 });
  expect(await refusal(hurried)).toMatchObject({ type: "StripeConnectionError" });
  await control("faults", { mode: "none" });
  expect((await stripe.checkout.sessions.list()).data).toEqual([]);
});

test("the controls answer with pages for people and refuse other sites", async () => {
  await using standIn = await startStandIn();
  const { subscription, customer } = await subscribe(standIn);
  const home = await (await fetch(`${standIn.url}/_local`)).text();
  for (const part of [customer, subscription, "checkout.session.completed", "/c/pay/", "/i/in_"])
    expect(home).toContain(part);
  const renewed = await submit(`${standIn.url}/_local/subscriptions/${subscription}/renew`, {});
  expect([renewed.status, renewed.headers.get("location")]).toEqual([303, "/_local"]);
  const foreign = await fetch(`${standIn.url}/_local/reset`, {
    method: "POST",
    headers: { origin: "https://elsewhere.example" },
  });
  expect(foreign.status).toBe(403);
  const unknown = await fetch(`${standIn.url}/_local/subscriptions/sub_no/renew`, {
    method: "POST",
  });
  expect(unknown.status).toBe(404);
});

test("a reset empties the account and ends waiting deliveries", async () => {
  await using standIn = await startStandIn();
  await subscribe(standIn);
  await standIn.control("faults", { mode: "error500" });
  await standIn.reset();
  expect((await standIn.stripe.customers.list()).data).toEqual([]);
  expect((await standIn.stripe.prices.list()).data).toHaveLength(4);
  expect(await eventTypes(standIn)).toEqual([]);
  await using receiver = await startReceiver();
  await standIn.stripe.customers.create({});
  await standIn.control("events?settled=true");
  expect(receiver.events.map((event) => event.type)).toEqual(["customer.created"]);
});

test("the account survives a restart when it has a file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "stripe-stand-in-"));
  try {
    const file = join(folder, "stripe.json");
    let subscription = "";
    {
      await using standIn = await startStandIn(file);
      subscription = (await subscribe(standIn)).subscription;
    }
    await using receiver = await startReceiver();
    await using standIn = await startStandIn(file);
    expect((await standIn.stripe.subscriptions.retrieve(subscription)).status).toBe("active");
    await receiver.arrived(9);
    expect(receiver.problems).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
