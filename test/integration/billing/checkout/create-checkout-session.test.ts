import { beforeEach, expect, test } from "vitest";
import { buyersFields } from "../../../support/billing/order.ts";
import {
  payOnHostedPage,
  prices,
  receivedWrites,
  sessionRequests,
  stripe,
} from "../../../support/billing/stripe-account.ts";
import { database, userIdOf } from "../../../support/database/database.ts";
import { amount, sample, testInProof } from "../../../support/run/variants.ts";
import { resetFakes } from "../../../support/site/control-fakes.ts";
import { siteVariables } from "../../../support/site/variables.ts";
import { Visitor, type VisitorRequest } from "../../../support/site/visitor.ts";

const api = "/api/create-checkout-session";
const email = "customer.one@example.com";

beforeEach(resetFakes);

async function signedIn() {
  const visitor = new Visitor();
  await visitor.signInWithGoogle(email);
  return { visitor, userId: await userIdOf(email) };
}

function order(visitor: Visitor, body: unknown, init: VisitorRequest = {}) {
  return visitor.request(api, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...init,
  });
}

async function openedSession(response: Response): Promise<{ id: string; url: string }> {
  const answer: { id: string; url: string } = await response.json();
  expect(response.status, JSON.stringify(answer)).toBe(200);
  return answer;
}

async function expectRefusal(
  response: Response,
  status: number,
  error: string | RegExp,
  code?: string,
) {
  expect(response.status).toBe(status);
  expect(response.headers.get("content-type")).toContain("application/json");
  expect(response.headers.get("cache-control")).toContain("no-store");
  expect(await response.json()).toEqual({
    error: expect.stringMatching(error),
    ...(code ? { code } : {}),
  });
}

test("a visitor who is not signed in gets 401", async () => {
  const response = await order(new Visitor(), {
    priceId: prices.monthly,
    userId: crypto.randomUUID(),
  });
  await expectRefusal(response, 401, /^Sign in to continue\.$/);
  expect(await receivedWrites()).toEqual([]);
});

test("every wrong request of a signed-in person is refused and nothing happens at Stripe", async () => {
  const { visitor, userId } = await signedIn();
  const good = { priceId: prices.monthly, userId };
  const large = { ...good, note: "x".repeat(5_000) };
  const inPieces = new Blob([JSON.stringify(large)]).stream();
  const refusals: [what: string, body: unknown, VisitorRequest, status: number, error: RegExp][] = [
    [
      "another user's id",
      { ...good, userId: crypto.randomUUID() },
      {},
      403,
      /only buy for yourself/,
    ],
    ["an empty user id", { ...good, userId: "" }, {}, 403, /only buy for yourself/],
    ["the id in capitals", { ...good, userId: userId.toUpperCase() }, {}, 403, /only buy for/],
    ["an unknown price", { ...good, priceId: "price_unknown" }, {}, 400, /^Invalid plan selected$/],
    ["an empty price", { ...good, priceId: "" }, {}, 400, /^Invalid plan selected$/],
    ["a plan's name", { ...good, priceId: "basic" }, {}, 400, /^Invalid plan selected$/],
    ["an inherited name", { ...good, priceId: "constructor" }, {}, 400, /^Invalid plan selected$/],
    ["no price", { userId }, {}, 400, /priceId and userId/],
    ["no user id", { priceId: prices.monthly }, {}, 400, /priceId and userId/],
    ["a number as price", { ...good, priceId: 1 }, {}, 400, /priceId and userId/],
    ["a list as user id", { ...good, userId: [userId] }, {}, 400, /priceId and userId/],
    ["null", null, {}, 400, /priceId and userId/],
    ["a list", [good], {}, 400, /priceId and userId/],
    ["a text", JSON.stringify("text"), {}, 400, /priceId and userId/],
    ["broken JSON", '{"priceId":', {}, 400, /priceId and userId/],
    ["an empty body", "", {}, 400, /priceId and userId/],
    ["a form's type", good, typed("application/x-www-form-urlencoded"), 415, /application\/json/],
    ["plain text", good, typed("text/plain"), 415, /application\/json/],
    ["a similar type", good, typed("application/jsonp"), 415, /application\/json/],
    ["no type", good, typed(""), 415, /application\/json/],
    ["a large body", large, {}, 413, /too large/],
    ["a large body in pieces", large, { body: inPieces, duplex: "half" }, 413, /too large/],
    ["a foreign origin", good, { origin: "https://elsewhere.example" }, 403, /our site/],
    ["an origin on another port", good, { origin: "http://localhost:1" }, 403, /our site/],
    ["no origin", good, { origin: null }, 403, /our site/],
    ["the origin null", good, { origin: "null" }, 403, /our site/],
    ["PUT", good, { method: "PUT" }, 405, /takes POST only/],
    ["PATCH", good, { method: "PATCH" }, 405, /takes POST only/],
    ["DELETE", good, { method: "DELETE" }, 405, /takes POST only/],
    ["GET", good, { method: "GET", body: null }, 405, /takes POST only/],
  ];
  for (const [what, body, init, status, error] of refusals) {
    // Each comes from an address of its own; the limit per person is spared by those that stop early.
    const response = await order(visitor, body, init);
    expect.soft(response.status, what).toBe(status);
    if (status === 405) expect.soft(response.headers.get("allow"), what).toBe("POST");
    const isSold = !error.test("Invalid plan selected");
    await expectRefusal(response, status, error, isSold ? undefined : "invalid-plan");
  }
  expect(await receivedWrites()).toEqual([]);
  expect((await database.from("customers").select("id")).data).toEqual([]);
});

function typed(type: string): VisitorRequest {
  return { headers: { "content-type": type } };
}

test("a good request opens a session with exactly the specified payload", async () => {
  const { visitor, userId } = await signedIn();
  const response = await order(visitor, { priceId: prices.yearly, userId });
  const { id, url, ...more } = await openedSession(response);
  expect(more).toEqual({});
  const session = await stripe.checkout.sessions.retrieve(id);
  expect(session).toMatchObject({ status: "open", url, amount_total: 99_900 });

  const customer = await stripe.customers.retrieve(String(session.customer));
  expect(customer).toMatchObject({ email, metadata: { user_id: userId } });
  const site = siteVariables.SITE_URL;
  expect(await receivedWrites()).toMatchObject([
    {
      path: "/v1/customers",
      params: { email, metadata: { user_id: userId } },
      idempotencyKey: expect.stringContaining(userId),
    },
    {
      path: "/v1/checkout/sessions",
      idempotencyKey: expect.stringContaining(userId),
    },
  ]);
  const [request] = await sessionRequests();
  expect(request?.params).toEqual({
    mode: "subscription",
    allowed_payment_method_types: ["card"],
    line_items: [{ price: prices.yearly, quantity: "1" }],
    currency: "usd",
    adaptive_pricing: { enabled: "false" },
    expand: ["line_items"],
    success_url: `${site}/success?session_id={CHECKOUT_SESSION_ID}`,
    cancel_url: `${site}/pricing?plan=yearly`,
    allow_promotion_codes: "true",
    ...buyersFields,
    customer: session.customer,
    customer_update: { address: "auto", name: "auto" },
    // The personal workspace, whose id is that of its account.
    client_reference_id: userId,
  });
  expect((await database.from("customers").select("id, user_id, origin, email")).data).toEqual([
    { id: session.customer, user_id: userId, origin: "account", email },
  ]);
});

test("each of the four prices is charged as it is shown", async () => {
  const amounts = { basic: 10_999, pro: 99_999, monthly: 10_999, yearly: 99_900 } as const;
  for (const [name, total] of sample(Object.entries(amounts), 2)) {
    const { visitor, userId } = await signedIn();
    const priceId = prices[name as keyof typeof amounts];
    const { id } = await openedSession(await order(visitor, { priceId, userId }));
    const session = await stripe.checkout.sessions.retrieve(id);
    expect([name, session.amount_total, session.currency]).toEqual([name, total, "usd"]);
    await resetFakes();
  }
});

test("requests of one person at once get one customer and one open session", async () => {
  const { visitor, userId } = await signedIn();
  const responses = await Promise.all(
    Array.from({ length: amount({ inTest: 5, inProof: 20 }) }, () =>
      order(visitor, { priceId: prices.monthly, userId }),
    ),
  );
  const opened = await Promise.all(responses.map(openedSession));
  expect(new Set(opened.map(({ id }) => id)).size).toBe(1);
  expect((await stripe.customers.list()).data).toHaveLength(1);
  expect((await stripe.checkout.sessions.list()).data).toHaveLength(1);
  expect((await database.from("customers").select("id")).data).toHaveLength(1);
});

testInProof(
  "a customer whom Stripe made, and of whom we never heard, is used by the next order",
  async () => {
    const { visitor, userId } = await signedIn();
    const { id } = await stripe.customers.create({ email, metadata: { user_id: userId } });
    await openedSession(await order(visitor, { priceId: prices.monthly, userId }));
    expect((await stripe.customers.list({ email })).data.map((each) => each.id)).toEqual([id]);
    expect((await database.from("customers").select("id, user_id")).data).toEqual([
      { id, user_id: userId },
    ]);
  },
);

test("asking again gives the session that is still open", async () => {
  const { visitor, userId } = await signedIn();
  const first = await openedSession(await order(visitor, { priceId: prices.monthly, userId }));
  const second = await openedSession(await order(visitor, { priceId: prices.monthly, userId }));
  expect(second).toEqual(first);
});

test("another price expires the session that was open, so that only one can be paid", async () => {
  const { visitor, userId } = await signedIn();
  const monthly = await openedSession(await order(visitor, { priceId: prices.monthly, userId }));
  const yearly = await openedSession(await order(visitor, { priceId: prices.yearly, userId }));
  expect((await stripe.checkout.sessions.retrieve(monthly.id)).status).toBe("expired");
  expect((await stripe.checkout.sessions.list({ status: "open" })).data).toMatchObject([
    { id: yearly.id },
  ]);
  const again = await openedSession(await order(visitor, { priceId: prices.monthly, userId }));
  expect([monthly.id, yearly.id]).not.toContain(again.id);
  await expect(payOnHostedPage(yearly.url)).rejects.toThrow("did not take the money");
  await payOnHostedPage(again.url);
  expect((await stripe.subscriptions.list()).data).toHaveLength(1);
});

testInProof(
  "requests for two prices at once are all answered and leave one session to pay",
  async () => {
    const { visitor, userId } = await signedIn();
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, turn) =>
        order(visitor, { priceId: turn % 2 ? prices.monthly : prices.yearly, userId }),
      ),
    );
    const opened = await Promise.all(responses.map(openedSession));
    const open = (await stripe.checkout.sessions.list({ status: "open" })).data;
    expect(open).toHaveLength(1);
    expect(opened.map(({ id }) => id)).toContain(open[0]?.id);
  },
);

test("somebody with an active subscription gets 409 and no second session", async () => {
  const { visitor, userId } = await signedIn();
  const { url } = await openedSession(await order(visitor, { priceId: prices.monthly, userId }));
  await payOnHostedPage(url);
  const response = await order(visitor, { priceId: prices.yearly, userId });
  await expectRefusal(
    response,
    409,
    /^You already have an active subscription$/,
    "already-subscribed",
  );
  expect(await sessionRequests()).toHaveLength(1);
  expect((await stripe.checkout.sessions.list({ status: "open" })).data).toEqual([]);
});

testInProof(
  "somebody with an active subscription is led to its change without JavaScript too",
  async () => {
    const { visitor, userId } = await signedIn();
    const unsold = await (await visitor.post("/signup", { option: "weekly" })).text();
    expect(unsold).toContain("Invalid plan selected");
    expect(unsold).not.toContain("Change plan");
    const { url } = await openedSession(await order(visitor, { priceId: prices.monthly, userId }));
    await payOnHostedPage(url);
    const response = await visitor.post("/signup", { option: "yearly" });
    expect(response.status).toBe(409);
    const page = await response.text();
    expect(page).toContain("You already have an active subscription");
    expect(page).toMatch(/href="\/dashboard\/plan\?to=yearly"[^>]*>Change plan</);
  },
);

testInProof("after the subscription has ended, the person may buy again", async () => {
  const { visitor, userId } = await signedIn();
  const first = await openedSession(await order(visitor, { priceId: prices.monthly, userId }));
  await payOnHostedPage(first.url);
  const [subscription] = (await stripe.subscriptions.list()).data;
  await stripe.subscriptions.cancel(subscription?.id ?? "");
  const second = await openedSession(await order(visitor, { priceId: prices.monthly, userId }));
  await payOnHostedPage(second.url);
  expect((await stripe.subscriptions.list({ status: "active" })).data).toHaveLength(1);
  expect((await stripe.customers.list()).data).toHaveLength(1);
});

test("a session that was revoked can no longer buy, though its claims are still good", async () => {
  const { visitor, userId } = await signedIn();
  await database.auth.admin.deleteUser(userId);
  const response = await order(visitor, { priceId: prices.monthly, userId });
  await expectRefusal(response, 401, /^Sign in to continue\.$/);
  expect(await receivedWrites()).toEqual([]);
});

testInProof("a user who asks too often gets 429 and when to come back", async () => {
  const { visitor, userId } = await signedIn();
  // The window may change once while these run: twice the limit and one are too many for two.
  const responses = await Promise.all(
    Array.from({ length: 41 }, () => order(visitor, { priceId: "price_unknown", userId })),
  );
  const refused = responses.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  for (const response of refused) {
    expect(response.headers.get("retry-after")).toBe("60");
    await expectRefusal(response, 429, /^Too many attempts\. Please wait a minute/);
  }
  expect(await receivedWrites()).toEqual([]);
});
