import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { orderButton } from "../../support/billing/order.ts";
import { stripe } from "../../support/billing/stripe-account.ts";
import { type Conduct, faults } from "../../support/faults/go-between.ts";
import { startTroubledSite, type TroubledSite } from "../../support/faults/troubled-site.ts";
import { resetFakes, signWithKeyPair } from "../../support/site/fakes.ts";
import { Visitor } from "../../support/site/visitor.ts";
import { expectWords } from "../../support/site/words.ts";

const email = "customer.one@example.com";
const somethingWentWrong = "Something went wrong. Please try again.";
const signInUnavailable = "Sign-in is not available right now.";
const subscriptionUnreadable = "Your subscription cannot be read right now.";

let site: TroubledSite;

beforeAll(async () => {
  site = await startTroubledSite();
});

afterAll(() => site?.[Symbol.asyncDispose]());

beforeEach(async () => {
  await resetFakes();
  site.recover();
});

async function signedIn(): Promise<Visitor> {
  const visitor = new Visitor(site.url);
  await visitor.signInWithGoogle(email);
  return visitor;
}

const supabaseFailures: [string, Conduct][] = [
  ["is down", faults["cut off"]],
  ["answers 500", faults.error],
  ["answers garbage", faults.garbage],
];

test.for(supabaseFailures)("when Supabase %s, public pages are as always", async ([, conduct]) => {
  const visitor = await signedIn();
  site.supabaseWay.behave(conduct);
  for (const path of ["/", "/pricing", "/docs", "/healthz"]) {
    expect((await visitor.request(path)).status, path).toBe(200);
    expect((await new Visitor(site.url).request(path)).status, path).toBe(200);
  }
  expect(site.supabaseWay.asked).toEqual([]);
});

test("a genuine session stays while the auth server does not say which name its tokens carry", async () => {
  // The tokens name the fake's own address, not the way to it.
  await signWithKeyPair();
  site.supabaseWay.behave(async ({ path }, forward) =>
    path.endsWith("/openid-configuration")
      ? { status: 404, headers: { "content-type": "text/html" }, body: "<!doctype html>" }
      : forward(),
  );
  const visitor = await signedIn();
  const secrets = visitor.sessionSecrets();
  await expectWords(await visitor.request("/dashboard"), 503, signInUnavailable);
  await expectWords(await visitor.request("/signin"), 503, signInUnavailable);
  expect(visitor.sessionSecrets()).toEqual(secrets);
  site.recover();
  expect((await visitor.request("/dashboard")).status).toBe(200);
});

test.for(supabaseFailures)("when Supabase %s, sign-in says so in words", async ([, conduct]) => {
  const visitor = await signedIn();
  site.supabaseWay.behave(conduct);
  await expectWords(await visitor.request("/signin"), 503, signInUnavailable);
  await expectWords(await visitor.request("/signup"), 503, signInUnavailable);
});

test.for(supabaseFailures.slice(0, 2))(
  "when Supabase %s, nobody is sent to its pages",
  async ([, conduct]) => {
    site.supabaseWay.behave(conduct);
    const visitor = new Visitor(site.url);
    const start = await visitor.post("/signin", { provider: "google", next: "/dashboard" });
    await expectWords(start, 503, signInUnavailable);
    site.recover();
    await visitor.signInWithGoogle(email);
  },
);

test.for(supabaseFailures)(
  "when Supabase %s, the dashboard says so in words",
  async ([, conduct]) => {
    const visitor = await signedIn();
    site.supabaseWay.behave(conduct);
    const response = await visitor.request("/dashboard");
    const requestId = response.headers.get("x-request-id");
    await expectWords(response, 503, signInUnavailable);
    expect(await site.logged({ requestId })).toMatchObject([{ level: "error" }]);
    await expectWords(await visitor.post("/dashboard?index", {}), 503, signInUnavailable);
    site.recover();
    expect((await visitor.request("/dashboard")).status).toBe(200);
  },
);

test("when only the database is down, the dashboard says what cannot be read", async () => {
  const [visitor, stranger] = [await signedIn(), await signedIn()];
  await visitor.request("/dashboard");
  site.supabaseWay.behave(async ({ path }, forward) =>
    path.startsWith("/rest/") ? "cut off" : forward(),
  );
  // Whose session was not looked at within the last minute may have ended.
  await expectWords(await stranger.request("/dashboard"), 503, signInUnavailable);
  await expectWords(await visitor.request("/dashboard"), 503, subscriptionUnreadable);
  const order = await orderButton(visitor, email);
  await expectWords(await order(), 502, somethingWentWrong);
  expect((await stripe.checkout.sessions.list()).data).toEqual([]);
});

test.for(supabaseFailures)(
  "when Supabase %s, signing out removes the cookies all the same",
  async ([, conduct]) => {
    const visitor = await signedIn();
    site.supabaseWay.behave(conduct);
    const response = await visitor.post("/signout", {});
    expect([response.status, response.headers.get("location")]).toEqual([303, "/"]);
    expect([...visitor.cookies.keys()].filter((name) => /^sb-|^signed-in/.test(name))).toEqual([]);
    site.recover();
    expect((await visitor.request("/dashboard")).status).toBe(302);
  },
);

test.for(supabaseFailures)(
  "when Supabase %s, coming back from Google leads to an explanation",
  async ([, conduct]) => {
    const visitor = new Visitor(site.url);
    await visitor.post("/signin", { provider: "google", next: "/signup" });
    site.supabaseWay.behave(conduct);
    const back = await visitor.request("/auth/callback?code=a-code");
    expect(back.status).toBe(302);
    const { url, response } = await visitor.arrive(back, "/auth/callback");
    expect(url.pathname + url.search).toBe("/signin?problem=unavailable&next=%2Fsignup");
    expect(await response.text()).toContain(signInUnavailable);
  },
);

test.for(supabaseFailures)(
  "when Supabase %s, a signed-in person's checkout says so and opens nothing",
  async ([, conduct]) => {
    const visitor = await signedIn();
    const order = await orderButton(visitor, email);
    site.supabaseWay.behave(conduct);
    await expectWords(await order(), 503, signInUnavailable);
    await expectWords(await visitor.post("/pricing", { plan: "basic" }), 503, signInUnavailable);
    expect(site.stripeWay.asked).toEqual([]);
  },
);

test("when Supabase is down, a guest can still buy", async () => {
  site.supabaseWay.behave(faults["cut off"]);
  const response = await new Visitor(site.url).post("/pricing", { plan: "basic" });
  expect(response.status).toBe(303);
});

test.for(supabaseFailures.slice(0, 2))(
  "when Supabase %s, a session that has expired meanwhile is kept, and no page hangs",
  async ([, conduct]) => {
    const visitor = await signedIn();
    visitor.expireSession();
    site.supabaseWay.behave(conduct);
    const began = Date.now();
    await expectWords(await visitor.request("/dashboard"), 503, signInUnavailable);
    await expectWords(await visitor.post("/pricing", { plan: "basic" }), 503, signInUnavailable);
    expect(Date.now() - began).toBeLessThan(15_000);
    site.recover();
    expect((await visitor.request("/dashboard")).status).toBe(200);

    visitor.expireSession();
    site.supabaseWay.behave(conduct);
    await visitor.post("/signout", {});
    expect([...visitor.cookies.keys()].filter((name) => /^sb-/.test(name))).toEqual([]);
  },
);
