import { beforeEach, expect, test } from "vitest";
import { buyersFields } from "../../../support/billing/order.ts";
import {
  payOnHostedPage,
  prices,
  receivedRequests,
  sessionRequests,
  stripe,
} from "../../../support/billing/stripe-account.ts";
import { database, userIdOf } from "../../../support/database/database.ts";
import { testInProof } from "../../../support/run/variants.ts";
import { resetFakes } from "../../../support/site/control-fakes.ts";
import { siteVariables, variable } from "../../../support/site/variables.ts";
import { Visitor } from "../../../support/site/visitor.ts";

const email = "customer.one@example.com";

beforeEach(resetFakes);

test.each([
  ["basic", prices.basic, 10_999, "month"],
  ["pro", prices.pro, 99_999, "year"],
] as const)(
  "a guest's form post for %s ends at the hosted page",
  async (plan, price, amount, interval) => {
    const response = await new Visitor().post("/pricing", { plan });
    expect(response.status).toBe(303);
    const [session] = (await stripe.checkout.sessions.list({ expand: ["data.line_items"] })).data;
    expect(response.headers.get("location")).toBe(session?.url);
    expect(session).toMatchObject({
      customer: null,
      client_reference_id: null,
      amount_total: amount,
      line_items: { data: [{ price: { id: price, recurring: { interval } } }] },
    });
    const site = siteVariables.SITE_URL;
    expect((await sessionRequests()).map(({ params }) => params)).toEqual([
      {
        mode: "subscription",
        allowed_payment_method_types: ["card"],
        line_items: [{ price, quantity: "1" }],
        currency: "usd",
        adaptive_pricing: { enabled: "false" },
        expand: ["line_items"],
        success_url: `${site}/success?session_id={CHECKOUT_SESSION_ID}`,
        cancel_url: `${site}/pricing?plan=${plan}`,
        allow_promotion_codes: "true",
        ...buyersFields,
      },
    ]);
    expect(await (await fetch(session?.url ?? "")).text()).toContain(
      plan === "basic" ? "$109.99" : "$999.99",
    );
  },
);

test("a signed-in person's form post opens a session for their own customer", async () => {
  const visitor = new Visitor();
  await visitor.signInWithGoogle(email);
  const userId = await userIdOf(email);
  const response = await visitor.post("/pricing", { plan: "pro" });
  expect(response.status).toBe(303);
  const [session] = (await stripe.checkout.sessions.list()).data;
  expect(response.headers.get("location")).toBe(session?.url);
  expect(session?.client_reference_id).toBe(userId);
  const { data: customers } = await database.from("customers").select("id, user_id");
  expect(customers).toEqual([{ id: session?.customer, user_id: userId }]);
});

test("a signed-in person who already pays is led to the change of their plan, without a session", async () => {
  const visitor = new Visitor();
  await visitor.signInWithGoogle(email);
  const first = await visitor.post("/pricing", { plan: "basic" });
  await payOnHostedPage(first.headers.get("location") ?? "");
  const response = await visitor.post("/pricing", { plan: "pro" });
  expect(response.status).toBe(303);
  expect(response.headers.get("location")).toBe("/dashboard/plan?to=pro");
  expect(await sessionRequests()).toHaveLength(1);
});

testInProof.each([
  ["enterprise, which has no price", "enterprise"],
  ["an unknown word", "gold"],
  ["a name in capitals", "Basic"],
  ["an inherited name", "constructor"],
  ["a price id", prices.basic],
  ["nothing", ""],
])("%s shows the page with Invalid plan selected", async (_, plan) => {
  const response = await new Visitor().post("/pricing", { plan });
  expect(response.status).toBe(400);
  expect(response.headers.get("content-type")).toContain("text/html");
  const page = await response.text();
  expect(page).toContain("Choose your plan");
  expect(page).toMatch(/role="alert"[^>]*>Invalid plan selected</);
  expect(page).toContain("Try again");
  expect(await receivedRequests()).toEqual([]);
});

testInProof("posts that are no forms, or far too large, are answered like empty ones", async () => {
  const visitor = new Visitor();
  const asJson = await visitor.request("/pricing", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ plan: "basic" }),
  });
  const multipart = new FormData();
  multipart.set("plan", "basic");
  const asMultipart = await visitor.request("/pricing", { method: "POST", body: multipart });
  const large = await visitor.post("/pricing", { plan: "basic", note: "x".repeat(140_000) });
  expect([asJson.status, asMultipart.status, large.status]).toEqual([400, 400, 400]);
  expect(await receivedRequests()).toEqual([]);
});

test("the same attempt of a guest twice, or ten times at once, is one session", async () => {
  const visitor = new Visitor();
  const attempt = crypto.randomUUID();
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => visitor.post("/pricing", { plan: "basic", attempt })),
  );
  const again = await visitor.post("/pricing", { plan: "basic", attempt });
  const locations = [...responses, again].map(({ headers }) => headers.get("location"));
  expect(new Set(locations).size).toBe(1);
  expect((await stripe.checkout.sessions.list()).data.map(({ url }) => url)).toEqual([
    locations[0],
  ]);
});

test("another attempt, or another plan within one, is another session", async () => {
  const visitor = new Visitor();
  const attempt = crypto.randomUUID();
  await visitor.post("/pricing", { plan: "basic", attempt });
  await visitor.post("/pricing", { plan: "pro", attempt });
  await visitor.post("/pricing", { plan: "basic", attempt: crypto.randomUUID() });
  expect((await stripe.checkout.sessions.list()).data).toHaveLength(3);
});

testInProof("a made-up attempt is not passed on as a key", async () => {
  const response = await new Visitor().post("/pricing", {
    plan: "basic",
    attempt: "x".repeat(300),
  });
  expect(response.status).toBe(303);
  const [request] = await sessionRequests();
  expect(request?.idempotencyKey ?? "").not.toContain("xxx");
});

testInProof.each([
  ["/pricing", "https://elsewhere.example"],
  ["/pricing", "null"],
  ["/pricing", null],
  ["/pricing.data", "https://elsewhere.example"],
  ["/pricing.data", "null"],
  ["/pricing.data", null],
] as const)("a post to %s with the origin %s is refused", async (path, origin) => {
  const response = await new Visitor().post(path, { plan: "basic" }, { origin });
  expect(response.status).toBe(403);
  expect(await response.text()).toContain("did not come from our site");
  expect(await receivedRequests()).toEqual([]);
});

testInProof("script posts to the same action and is led to the hosted page", async () => {
  const response = await new Visitor().post("/pricing.data", { plan: "basic" });
  const [session] = (await stripe.checkout.sessions.list()).data;
  expect(response.status).toBe(202);
  expect(await response.text()).toContain(session?.url);
});

testInProof("a guest who asks too often is answered 429 on the page", async () => {
  const visitor = new Visitor();
  // The window may change once while these run: twice the limit and one are too many for two.
  const responses = await Promise.all(
    Array.from({ length: 41 }, () => visitor.post("/pricing", { plan: "unknown" })),
  );
  const refused = responses.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(await refused[0]?.text()).toContain("Too many attempts.");
});

testInProof(
  "the hosted page leads back: to the success page when paid, to the prices when not",
  async () => {
    const response = await new Visitor().post("/pricing", { plan: "basic" });
    const hosted = response.headers.get("location") ?? "";
    expect(await (await fetch(hosted)).text()).toContain(
      `href="${variable("SITE_URL")}/pricing?plan=basic"`,
    );
    const end = await payOnHostedPage(hosted, { email: "guest@example.com" });
    expect(end.origin + end.pathname).toBe(`${variable("SITE_URL")}/success`);
    expect(end.searchParams.get("session_id")).toMatch(/^cs_/);
    const page = await new Visitor().request(end.href);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("Payment Successful!");
  },
);

test("only a signed-in user reads which plan they have, and the answer is never cached", async () => {
  const visitor = new Visitor();
  const ask = async (who: Visitor) => {
    const response = await who.request("/pricing/own");
    expect(response.headers.get("cache-control")).toContain("no-store");
    return response.json();
  };
  expect(await ask(visitor)).toEqual({ plan: null });
  await visitor.signInWithGoogle(email);
  expect(await ask(visitor)).toEqual({ plan: null });
  const start = await visitor.post("/pricing", { plan: "basic" });
  const paid = await payOnHostedPage(start.headers.get("location") ?? "");
  await visitor.request(`${paid.pathname}${paid.search}`);
  expect(await ask(visitor)).toEqual({ plan: "basic" });
  expect(await ask(new Visitor())).toEqual({ plan: null });
  const page = await (await visitor.request("/pricing")).text();
  expect(page).not.toContain("Your plan");
});
