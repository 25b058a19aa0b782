import { beforeAll, beforeEach, expect, test } from "vitest";
import { orderButton } from "../../support/billing/order.ts";
import { buyAtStripe, payOnHostedPage, stripe } from "../../support/billing/stripe-account.ts";
import { faults, holdFirstAnswer, type ProxyHandler } from "../../support/faults/fault-proxy.ts";
import {
  type SiteWithFaults,
  sharedSiteWithFaults,
} from "../../support/faults/site-with-faults.ts";
import { sample, testInProof } from "../../support/run/variants.ts";
import { resetFakes, settledStripeEvents } from "../../support/site/control-fakes.ts";
import { expectText } from "../../support/site/page-text.ts";
import { Visitor } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";
const somethingWentWrong = "Something went wrong. Please try again.";

let site: SiteWithFaults;

beforeAll(async () => {
  site = await sharedSiteWithFaults();
});

beforeEach(async () => {
  await resetFakes();
  site.recover();
});

async function signedIn(): Promise<Visitor> {
  const visitor = new Visitor(site.url);
  await visitor.signInWithGoogle(email);
  return visitor;
}

const stripeFailures: [string, ProxyHandler, tries: number][] = [
  ["is down", faults["cut off"], 3],
  ["answers 500", faults.error, 3],
  ["answers garbage", faults.garbage, 1],
];

test.for(sample(stripeFailures, 1))(
  "when Stripe %s, checkout says so, logs it once and charges nothing",
  async ([, handler, tries]) => {
    const visitor = await signedIn();
    const order = await orderButton(visitor, email);
    await order();
    const [earlier] = (await stripe.checkout.sessions.list()).data;
    await stripe.checkout.sessions.expire(earlier?.id ?? "");

    site.stripeProxy.behave(async (request, forward) =>
      request.method === "POST" ? handler(request, forward) : forward(),
    );
    const response = await order();
    const requestId = response.headers.get("x-request-id");
    expect(await response.clone().json()).toEqual({
      error: somethingWentWrong,
      code: "unavailable",
    });
    await expectText(response, 502, somethingWentWrong);
    expect(await site.logged({ requestId })).toMatchObject([
      { level: "error", message: "Checkout could not start" },
    ]);
    const posts = site.stripeProxy.requests.filter(({ method }) => method === "POST");
    expect(posts).toHaveLength(tries);
    expect(new Set(posts.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);

    const page = await visitor.post("/pricing", { plan: "basic" });
    await expectText(page, 502, somethingWentWrong);
    expect((await stripe.checkout.sessions.list({ status: "open" })).data).toEqual([]);

    site.stripeProxy.behave();
    expect((await order()).status).toBe(200);
  },
);

testInProof.for(stripeFailures)(
  "when Stripe %s, a guest gets a page that says so",
  async ([, handler]) => {
    site.stripeProxy.behave(handler);
    const response = await new Visitor(site.url).post("/pricing", {
      plan: "pro",
      attempt: crypto.randomUUID(),
    });
    expect(response.headers.get("content-type")).toContain("text/html");
    await expectText(response, 502, somethingWentWrong);
  },
);

testInProof.for(stripeFailures)(
  "when Stripe %s, the success page says that it cannot verify",
  async ([, handler]) => {
    const { session } = await buyAtStripe({ email });
    site.stripeProxy.behave(handler);
    const response = await new Visitor(site.url).request(`/success?session_id=${session}`);
    const requestId = response.headers.get("x-request-id");
    const page = await response.clone().text();
    await expectText(response, 503, "We could not reach Stripe to verify your payment.");
    expect(page).not.toContain("Payment Successful!");
    expect(page).toContain("Do not pay again.");
    expect(await site.logged({ requestId })).toMatchObject([
      { message: "A checkout could not be verified" },
    ]);
  },
);

test("when Stripe is down, the dashboard keeps what it knows and says what does not work", async () => {
  const visitor = await signedIn();
  const start = await visitor.post("/pricing", { plan: "basic" });
  await payOnHostedPage(start.headers.get("location") ?? "");
  await settledStripeEvents();
  site.stripeProxy.behave(faults["cut off"]);
  await expectText(await visitor.request("/dashboard"), 200, "Active");
  await expectText(
    await visitor.post("/dashboard?index", {}),
    502,
    "Stripe does not answer right now. What you see is the last known state.",
  );
  const portal = await visitor.post("/dashboard/billing", {});
  const { response } = await visitor.arrive(portal, "/dashboard/billing");
  expect(await response.text()).toMatch(/role="(alert|status)"[^>]*>[^<]*[Bb]illing/);
});

test("an answer of Stripe's that was lost is asked for again under the same key", async () => {
  const visitor = await signedIn();
  const order = await orderButton(visitor, email);
  let lost = 0;
  site.stripeProxy.behave(async ({ method, path }, forward) => {
    const answer = await forward();
    return method === "POST" && path.startsWith("/v1/checkout") && lost++ === 0
      ? "cut off"
      : answer;
  });
  const response = await order();
  expect(response.status).toBe(200);
  expect(lost).toBe(2);
  expect((await stripe.checkout.sessions.list()).data).toHaveLength(1);
  expect((await stripe.customers.list()).data).toHaveLength(1);
});

testInProof("a slow answer of Stripe's is waited for", async () => {
  const visitor = await signedIn();
  const order = await orderButton(visitor, email);
  const slow = holdFirstAnswer("/v1/checkout/sessions");
  site.stripeProxy.behave(slow.handler);
  const late = order();
  await slow.reached;
  const meanwhile = await order();
  expect(meanwhile.status).toBe(200);
  slow.release();
  expect(await (await late).json()).toEqual(await meanwhile.json());
  expect((await stripe.checkout.sessions.list()).data).toHaveLength(1);
});
