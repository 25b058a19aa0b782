import { createClient } from "@supabase/supabase-js";
import { beforeEach, expect, test } from "vitest";
import {
  buyAtStripe,
  cards,
  payOnHostedPage,
  receivedRequests,
  stripe,
} from "../../support/billing/stripe-account.ts";
import { pauseDeliveries } from "../../support/billing/webhook-delivery.ts";
import { database, userIdOf } from "../../support/database/database.ts";
import { sample, testInProof } from "../../support/run/variants.ts";
import {
  resetFakes,
  settledStripeEvents,
  stripeControl,
} from "../../support/site/control-fakes.ts";
import { startOwnWorker } from "../../support/site/own-site.ts";
import { textAt, textOfHtml } from "../../support/site/page-text.ts";
import { siteVariables, variable } from "../../support/site/variables.ts";
import { signedIn, Visitor } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";

beforeEach(resetFakes);

/** Buys on the pricing page, as a person does, and answers the subscription once it is recorded. */
async function subscribed(visitor: Visitor, { plan = "basic", card = cards.good as string } = {}) {
  const start = await visitor.post("/pricing", { plan });
  await payOnHostedPage(start.headers.get("location") ?? "", { card });
  await settledStripeEvents();
  const [subscription] = (await stripe.subscriptions.list()).data;
  if (!subscription) throw new Error("Stripe has no subscription");
  return { id: subscription.id, customer: String(subscription.customer) };
}

const wordsOnDashboard = (visitor: Visitor) => textAt(visitor, "/dashboard");

async function periodEnd(id: string): Promise<string> {
  const { items } = await stripe.subscriptions.retrieve(id);
  const end = new Date((items.data[0]?.current_period_end ?? 0) * 1000);
  return new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" }).format(end);
}

test.each(
  sample(
    [
      ["/dashboard", "/dashboard"],
      ["/dashboard?notice=portal-unavailable", "/dashboard?notice=portal-unavailable"],
      ["/dashboard/billing", "/dashboard/billing"],
    ],
    1,
  ),
)("signed out, %s leads to sign-in and back", async (path, next) => {
  const response = await new Visitor().request(path);
  expect(response.status).toBe(302);
  const location = new URL(response.headers.get("location") ?? "", siteVariables.SITE_URL);
  expect(location.pathname).toBe("/signin");
  expect(location.searchParams.get("next")).toBe(next);
  expect(response.headers.get("cache-control")).toContain("no-store");
  expect(await response.text()).toBe("");
});

test("signed out, the dashboard's data and its actions are guarded too", async () => {
  const visitor = new Visitor();
  const asData = await visitor.request("/dashboard.data");
  expect(await asData.text()).toContain("/signin?next=%2Fdashboard");
  for (const path of ["/dashboard?index", "/dashboard/billing"]) {
    const response = await visitor.post(path, {});
    expect(response.status, path).toBe(303);
    expect(response.headers.get("location"), path).toBe("/signin?next=%2Fdashboard");
  }
  expect(await receivedRequests()).toEqual([]);
});

testInProof("cookies that are no session lead to sign-in, not to an error", async () => {
  for (const cookie of [
    "sb-127-auth-token=garbage",
    "sb-127-auth-token=base64-e30",
    "sb-127-auth-token=base64-%%%",
    `sb-127-auth-token=base64-${btoa(JSON.stringify({ access_token: "a.b.c", refresh_token: "x", expires_at: 4102444800 }))}`,
    "sb-127-auth-token.0=base64-eyJ; sb-127-auth-token.1=zzz",
  ]) {
    const response = await fetch(`${siteVariables.SITE_URL}/dashboard`, {
      headers: { cookie },
      redirect: "manual",
    });
    expect(response.status, cookie).toBe(302);
  }
});

testInProof("without a plan the dashboard says so and leads to the prices", async () => {
  const visitor = await signedIn();
  const page = await (await visitor.request("/dashboard")).text();
  expect(textOfHtml(page)).toContain("No plan yet");
  expect(page).toMatch(/<a [^>]*href="\/pricing"[^>]*>Choose a plan</);
});

test.each(
  sample(
    [
      ["basic", "Basic", "$109.99 per month"],
      ["pro", "Pro", "$999.99 per year"],
    ],
    1,
  ),
)("an active %s plan is shown with its price and its renewal", async (plan, name, price) => {
  const visitor = await signedIn();
  const { id } = await subscribed(visitor, { plan });
  const words = await wordsOnDashboard(visitor);
  expect(words).toContain(`${name} Active ${price} Renews on ${await periodEnd(id)}.`);
  expect(words).toContain("Invoices Change plan");
  expect(words).not.toContain("No plan yet");
});

testInProof(
  "a plan cancelled for the period's end says until when, and shows it when taken back",
  async () => {
    const visitor = await signedIn();
    const { id } = await subscribed(visitor);
    await stripeControl(`subscriptions/${id}/cancel`);
    await settledStripeEvents();
    const words = await wordsOnDashboard(visitor);
    expect(words).toContain("Basic Cancelled");
    expect(words).toContain(`Your plan ends on ${await periodEnd(id)} and does not renew.`);

    await stripeControl(`subscriptions/${id}/keep`);
    await settledStripeEvents();
    expect(await wordsOnDashboard(visitor)).toContain("Basic Active");

    await stripeControl(`subscriptions/${id}/cancel`);
    await stripeControl(`subscriptions/${id}/renew`);
    await settledStripeEvents();
    const ended = await wordsOnDashboard(visitor);
    expect(ended).toContain("Basic Ended");
    expect(ended).toContain("Choose a plan");
  },
);

testInProof(
  "a renewal that fails shows past due and what to do, until the card is made good",
  async () => {
    const visitor = await signedIn();
    const { id, customer } = await subscribed(visitor, { card: cards.failsAtRenewal });
    await stripeControl(`subscriptions/${id}/renew`);
    await settledStripeEvents();
    const words = await wordsOnDashboard(visitor);
    expect(words).toContain("Basic Past due");
    expect(words).toContain("Billing says why, and how to pay it.");

    await stripeControl(`customers/${customer}/card`, { behaviour: "good" });
    await stripeControl(`subscriptions/${id}/pay`);
    await settledStripeEvents();
    expect(await wordsOnDashboard(visitor)).toContain(
      `Basic Active $109.99 per month Renews on ${await periodEnd(id)}`,
    );
  },
);

test("somebody past due is not sold a second plan", async () => {
  const visitor = await signedIn();
  const { id } = await subscribed(visitor, { card: cards.failsAtRenewal });
  await stripeControl(`subscriptions/${id}/renew`);
  const response = await visitor.post("/pricing", { plan: "pro" });
  expect(response.status).toBe(303);
  expect(response.headers.get("location")).toBe("/dashboard/plan?to=pro");
});

testInProof("refresh reads Stripe again when a webhook has not arrived", async () => {
  const visitor = await signedIn();
  const { id } = await subscribed(visitor);
  await pauseDeliveries();
  await stripe.subscriptions.cancel(id);
  expect(await wordsOnDashboard(visitor)).toContain("Basic Active");
  const response = await visitor.post("/dashboard?index", {});
  expect(response.status).toBe(200);
  expect(textOfHtml(await response.text())).toContain("Basic Ended");
});

testInProof("the billing portal opens for the person's own customer", async () => {
  const visitor = await signedIn();
  const { customer } = await subscribed(visitor);
  const ways: Record<string, string>[] = [{ customer }, {}];
  for (const fields of ways) {
    const response = await visitor.post("/dashboard/billing", fields);
    expect(response.status).toBe(303);
    const portal = await fetch(response.headers.get("location") ?? "");
    const page = await portal.text();
    expect(page).toContain(email);
    expect(page).toContain(`href="${siteVariables.SITE_URL}/dashboard"`);
  }
});

testInProof("the billing portal opens with the configuration that the site names", async () => {
  const visitor = await signedIn();
  await subscribed(visitor);
  const { id } = await stripe.billingPortal.configurations.create({
    features: { invoice_history: { enabled: true } },
  });
  await using site = await startOwnWorker((siteUrl) => ({
    ...siteVariables,
    SITE_URL: siteUrl,
    STRIPE_PORTAL_CONFIGURATION: id,
  }));
  const response = await fetch(`${site.url}/dashboard/billing`, {
    method: "POST",
    headers: {
      origin: site.url,
      cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    },
    redirect: "manual",
  });
  expect(response.status).toBe(303);
  const opened = (await receivedRequests()).filter(
    ({ path }) => path === "/v1/billing_portal/sessions",
  );
  expect(opened).toMatchObject([{ params: { configuration: id }, status: 200 }]);
});

test("the billing portal does not open for somebody else's customer", async () => {
  const { customer } = await subscribed(await signedIn());
  const other = await signedIn("customer.two@example.com");
  for (const customerId of [customer, "cus_unknown", "", "../accounts"]) {
    const response = await other.post("/dashboard/billing", { customer: customerId });
    expect([response.status, response.headers.get("location")]).toEqual([303, "/pricing"]);
  }
  const portals = (await receivedRequests()).filter(({ path }) => path.includes("billing_portal"));
  expect(portals).toEqual([]);
});

testInProof("another person sees nothing of it", async () => {
  await subscribed(await signedIn());
  const other = await signedIn("customer.two@example.com");
  expect(await wordsOnDashboard(other)).toContain("No plan yet");
});

test("row-level security: the owner reads, the other person and visitors do not, nobody writes", async () => {
  const owner = await signedIn();
  const { id, customer } = await subscribed(owner);
  const other = await signedIn("customer.two@example.com");
  const ask = (path: string, token: string, init: RequestInit = {}) =>
    fetch(`${variable("SUPABASE_URL")}/rest/v1/${path}`, {
      ...init,
      headers: {
        apikey: variable("SUPABASE_PUBLISHABLE_KEY"),
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        prefer: "return=representation",
      },
    });
  const tokens = {
    owner: tokenOf(owner),
    other: tokenOf(other),
    anon: variable("SUPABASE_PUBLISHABLE_KEY"),
  };

  expect(await (await ask("subscriptions?select=id", tokens.owner)).json()).toEqual([{ id }]);
  expect(await (await ask("customers?select=id", tokens.owner)).json()).toEqual([{ id: customer }]);
  expect(await (await ask("subscriptions?select=id", tokens.other)).json()).toEqual([]);
  expect(await (await ask(`customers?id=eq.${customer}`, tokens.other)).json()).toEqual([]);
  for (const path of ["subscriptions", "customers", "stripe_events"]) {
    const response = await ask(`${path}?select=id`, tokens.anon);
    expect.soft([path, response.status]).toEqual([path, 401]);
  }
  expect((await ask("stripe_events?select=id", tokens.owner)).status).toBe(403);

  const writes: [path: string, method: string, body?: object][] = [
    [`subscriptions?id=eq.${id}`, "PATCH", { status: "active", price_id: "price_free" }],
    [`subscriptions?id=eq.${id}`, "DELETE"],
    ["subscriptions", "POST", { id: "sub_x", customer_id: customer, status: "active" }],
    [
      `customers?id=eq.${customer}`,
      "PATCH",
      { user_id: await userIdOf("customer.two@example.com") },
    ],
    ["customers", "POST", { id: "cus_x", origin: "account" }],
    ["rpc/take_sync_ticket", "POST", {}],
    ["rpc/begin_customer_sync", "POST", { of_customer: customer }],
    ["rpc/note_missing_customer", "POST", { ticket: 9, of_customer: customer }],
    ["rpc/compare_customers", "POST", { listed: [], tied: [], up_to: new Date().toISOString() }],
    ["rpc/record_subscriptions", "POST", { ticket: 9, customer: {}, customer_subscriptions: [] }],
    ["rpc/claim_guest_purchases", "POST", { claimant: null, verified_email: email }],
  ];
  for (const token of Object.values(tokens)) {
    for (const [path, method, body] of writes) {
      const { status } = await ask(path, token, {
        method,
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      expect.soft([401, 403], `${method} ${path} answered ${status}`).toContain(status);
    }
  }
  expect((await database.from("subscriptions").select("id, status")).data).toEqual([
    { id, status: "active" },
  ]);
});

function tokenOf(visitor: Visitor): string {
  return visitor.sessionSecrets().find(({ name }) => name === "access_token")?.value ?? "";
}

testInProof(
  "two running plans, bought as a guest and before, are both shown with a warning",
  async () => {
    const visitor = await signedIn();
    await subscribed(visitor);
    await buyAtStripe({ email });
    await settledStripeEvents();
    await visitor.signInWithGoogle(email);
    expect(await wordsOnDashboard(visitor)).toContain(
      "You have more than one running plan and pay for each.",
    );
  },
);

testInProof("signing out removes the session's cookies, here and at the auth server", async () => {
  const visitor = await signedIn();
  const token = tokenOf(visitor);
  const response = await visitor.post("/signout", {});
  expect([response.status, response.headers.get("location")]).toEqual([303, "/"]);
  expect(response.headers.get("cache-control")).toContain("no-store");
  expect([...visitor.cookies.keys()].filter((name) => /^sb-|signed-in/.test(name))).toEqual([]);
  expect((await visitor.request("/dashboard")).status).toBe(302);
  const stolen = createClient(variable("SUPABASE_URL"), variable("SUPABASE_PUBLISHABLE_KEY"));
  expect((await stolen.auth.getUser(token)).data.user).toBeNull();
});

test("signing out by a link or from another site does nothing", async () => {
  const visitor = await signedIn();
  await visitor.request("/signout");
  const foreign = await visitor.post("/signout", {}, { origin: "https://elsewhere.example" });
  expect(foreign.status).toBe(403);
  expect(await wordsOnDashboard(visitor)).toContain("No plan yet");
});

testInProof(
  "the overview has one name: in the navigation, as its heading and as its title",
  async () => {
    const page = await (await (await signedIn()).request("/dashboard")).text();
    expect(page).toMatch(/<h1[^>]*>Overview<\/h1>/);
    expect(page).toMatch(/<title>Overview /);
    expect(page).toMatch(/aria-current="page"[^>]*>(?:<[^>]*>)*Overview/);
  },
);
