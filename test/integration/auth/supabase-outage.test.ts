import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { roleUnreadable } from "~/features/workspaces/roles";
import { somethingWentWrong } from "../../../app/features/billing/checkout/checkout-messages.ts";
import { orderButton } from "../../support/billing/order.ts";
import { stripe } from "../../support/billing/stripe-account.ts";
import { faults, type ProxyHandler } from "../../support/faults/fault-proxy.ts";
import { type SiteWithFaults, startSiteWithFaults } from "../../support/faults/site-with-faults.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes, signWithKeyPair } from "../../support/site/control-fakes.ts";
import { expectText } from "../../support/site/page-text.ts";
import { Visitor } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";
const signInUnavailable = "Sign-in is not available right now";
const subscriptionUnreadable = "Your subscription cannot be read right now.";

let site: SiteWithFaults;

beforeAll(async () => {
  site = await startSiteWithFaults();
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

const supabaseFailures: [string, ProxyHandler][] = [
  ["is down", faults["cut off"]],
  ["answers 500", faults.error],
  ["answers garbage", faults.garbage],
];

testInProof.for(supabaseFailures)(
  "when Supabase %s, public pages are as always",
  async ([, handler]) => {
    const visitor = await signedIn();
    site.supabaseProxy.behave(handler);
    for (const path of ["/", "/pricing", "/docs", "/healthz"]) {
      expect((await visitor.request(path)).status, path).toBe(200);
      expect((await new Visitor(site.url).request(path)).status, path).toBe(200);
    }
    expect(site.supabaseProxy.requests).toEqual([]);
  },
);

test("a genuine session stays while the auth server does not say which name its tokens carry", async () => {
  // The tokens name the fake's own address, not the way to it.
  await signWithKeyPair();
  site.supabaseProxy.behave(async ({ path }, forward) =>
    path.endsWith("/openid-configuration")
      ? { status: 404, headers: { "content-type": "text/html" }, body: "<!doctype html>" }
      : forward(),
  );
  const visitor = await signedIn();
  const secrets = visitor.sessionSecrets();
  await expectText(await visitor.request("/dashboard"), 503, signInUnavailable);
  await expectText(await visitor.request("/signin"), 503, signInUnavailable);
  expect(visitor.sessionSecrets()).toEqual(secrets);
  site.recover();
  expect((await visitor.request("/dashboard")).status).toBe(200);
});

testInProof.for(supabaseFailures)(
  "when Supabase %s, sign-in says so in words, and only after a post that nothing changed",
  async ([, handler]) => {
    const visitor = await signedIn();
    site.supabaseProxy.behave(handler);
    for (const path of ["/signin", "/signup"]) {
      await expectText(await visitor.request(path), 503, `${signInUnavailable}, so this cannot`);
    }
    const refused = await visitor.post("/signup", { option: "monthly" });
    await expectText(refused, 503, `${signInUnavailable}. Nothing was changed.`);
  },
);

testInProof.for(supabaseFailures.slice(0, 2))(
  "when Supabase %s, nobody is sent to its pages",
  async ([, handler]) => {
    site.supabaseProxy.behave(handler);
    const visitor = new Visitor(site.url);
    const start = await visitor.post("/signin", { provider: "google", next: "/dashboard" });
    await expectText(start, 503, signInUnavailable);
    site.recover();
    await visitor.signInWithGoogle(email);
  },
);

testInProof.for(supabaseFailures)(
  "when Supabase %s, the dashboard says so in words",
  async ([, handler]) => {
    const visitor = await signedIn();
    site.supabaseProxy.behave(handler);
    const response = await visitor.request("/dashboard");
    const requestId = response.headers.get("x-request-id");
    await expectText(response, 503, signInUnavailable);
    expect(await site.logged({ requestId })).toMatchObject([{ level: "error" }]);
    await expectText(await visitor.post("/dashboard?index", {}), 503, signInUnavailable);
    site.recover();
    expect((await visitor.request("/dashboard")).status).toBe(200);
  },
);

test("when only the database is down, the dashboard says what cannot be read", async () => {
  const [visitor, stranger] = [await signedIn(), await signedIn()];
  await visitor.request("/dashboard");
  site.supabaseProxy.behave(async ({ path }, forward) =>
    path.startsWith("/rest/") ? "cut off" : forward(),
  );
  // Whose session was not looked at within the last minute may have ended.
  await expectText(await stranger.request("/dashboard"), 503, signInUnavailable);
  await expectText(await visitor.request("/dashboard"), 503, subscriptionUnreadable);
  const order = await orderButton(visitor, email);
  await expectText(await order(), 503, roleUnreadable);
  const signUp = await visitor.post("/signup", { option: "monthly" });
  await expectText(signUp, 503, somethingWentWrong);
  expect((await stripe.checkout.sessions.list()).data).toEqual([]);
});

testInProof.for(supabaseFailures)(
  "when Supabase %s, signing out removes the cookies all the same",
  async ([, handler]) => {
    const visitor = await signedIn();
    site.supabaseProxy.behave(handler);
    const response = await visitor.post("/signout", {});
    expect([response.status, response.headers.get("location")]).toEqual([303, "/"]);
    expect([...visitor.cookies.keys()].filter((name) => /^sb-|^signed-in/.test(name))).toEqual([]);
    site.recover();
    expect((await visitor.request("/dashboard")).status).toBe(302);
  },
);

testInProof.for(supabaseFailures)(
  "when Supabase %s, coming back from Google leads to an explanation",
  async ([, handler]) => {
    const visitor = new Visitor(site.url);
    await visitor.post("/signin", { provider: "google", next: "/signup" });
    site.supabaseProxy.behave(handler);
    const back = await visitor.request("/auth/callback?code=a-code");
    expect(back.status).toBe(302);
    const { url, response } = await visitor.arrive(back, "/auth/callback");
    expect(url.pathname + url.search).toBe("/signin?problem=unavailable&next=%2Fsignup");
    expect(await response.text()).toContain(signInUnavailable);
  },
);

testInProof.for(supabaseFailures)(
  "when Supabase %s, a signed-in person's checkout says so and opens nothing",
  async ([, handler]) => {
    const visitor = await signedIn();
    const order = await orderButton(visitor, email);
    site.supabaseProxy.behave(handler);
    await expectText(await order(), 503, signInUnavailable);
    await expectText(await visitor.post("/pricing", { plan: "basic" }), 503, signInUnavailable);
    expect(site.stripeProxy.requests).toEqual([]);
  },
);

testInProof("when Supabase is down, a guest can still buy", async () => {
  site.supabaseProxy.behave(faults["cut off"]);
  const response = await new Visitor(site.url).post("/pricing", { plan: "basic" });
  expect(response.status).toBe(303);
});

testInProof.for(supabaseFailures.slice(0, 2))(
  "when Supabase %s, a session that has expired meanwhile is kept, and no page hangs",
  async ([, handler]) => {
    const visitor = await signedIn();
    visitor.expireSession();
    site.supabaseProxy.behave(handler);
    const began = Date.now();
    await expectText(await visitor.request("/dashboard"), 503, signInUnavailable);
    await expectText(await visitor.post("/pricing", { plan: "basic" }), 503, signInUnavailable);
    expect(Date.now() - began).toBeLessThan(15_000);
    site.recover();
    expect((await visitor.request("/dashboard")).status).toBe(200);

    visitor.expireSession();
    site.supabaseProxy.behave(handler);
    await visitor.post("/signout", {});
    expect([...visitor.cookies.keys()].filter((name) => /^sb-/.test(name))).toEqual([]);
  },
);
