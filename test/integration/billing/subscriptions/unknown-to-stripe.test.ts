import { expect, test } from "vitest";
import { beginAnew, runUntilDone } from "../../../support/billing/reconciliation.ts";
import { recordedSubscriptions } from "../../../support/billing/records.ts";
import { buyAtStripe, payOnHostedPage, stripe } from "../../../support/billing/stripe-account.ts";
import {
  deliver,
  madeUpEvent,
  pauseDeliveries,
} from "../../../support/billing/webhook-delivery.ts";
import { database, userIdOf } from "../../../support/database/database.ts";
import type { ProxyHandler } from "../../../support/faults/fault-proxy.ts";
import { siteWithFaults } from "../../../support/faults/site-with-faults.ts";
import { testInProof } from "../../../support/run/variants.ts";
import { settledStripeEvents } from "../../../support/site/control-fakes.ts";
import { textAt } from "../../../support/site/page-text.ts";
import { signedIn, type Visitor } from "../../../support/site/visitor.ts";

const email = "customer.one@example.com";
const faultySite = siteWithFaults();

const resourceMissing = (id: string) => ({
  status: 404,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({
    error: {
      type: "invalid_request_error",
      code: "resource_missing",
      message: `No such customer: '${id}'`,
      param: "customer",
    },
  }),
});

/** Stripe as it answers another account's key: it does not know this customer, nor list what they have. */
const knowsNothingOf =
  (customer: string): ProxyHandler =>
  async ({ path, body }, forward) => {
    if (path.includes(customer) || body.includes(customer)) return resourceMissing(customer);
    const answer = await forward();
    if (!/^\/v1\/(customers|subscriptions)\?/.test(path)) return answer;
    const list: { data: { id: string; customer?: string }[] } = JSON.parse(
      Buffer.from(answer.body).toString(),
    );
    const data = list.data.filter((each) => ![each.id, each.customer].includes(customer));
    return { ...answer, body: JSON.stringify({ ...list, data }) };
  };

/** Somebody who bought while the keys of a test account were in use, which Stripe has forgotten since. */
async function boughtUnderTestKeys() {
  const visitor = await signedIn(email, faultySite().url);
  const bought = await buyAtStripe({ email, userId: await userIdOf(email) });
  // Somebody whom Stripe knows: without anybody the reconciliation believes nothing that it reads.
  await buyAtStripe();
  await settledStripeEvents();
  await pauseDeliveries();
  expect(await textAt(visitor, "/dashboard")).toContain("Active");
  faultySite().stripeProxy.behave(knowsNothingOf(bought.customer));
  return { visitor, ...bought };
}

async function missingSince(customer: string) {
  const { data } = await database
    .from("customers")
    .select("missing_since")
    .eq("id", customer)
    .single()
    .throwOnError();
  return data.missing_since;
}

async function buyBasic(visitor: Visitor) {
  const start = await visitor.post("/pricing", { plan: "basic" });
  expect(start.status).toBe(303);
  const success = await payOnHostedPage(start.headers.get("location") ?? "");
  await visitor.request(`${success.pathname}${success.search}`);
}

test("a customer that Stripe does not know can buy again at once, without help", async () => {
  const { visitor, customer, subscription } = await boughtUnderTestKeys();
  await buyBasic(visitor);
  const page = await textAt(visitor, "/dashboard");
  expect(page).toContain("Active");
  expect(page).not.toContain("more than one running plan");
  expect(await missingSince(customer)).not.toBeNull();
  // Nothing of before is lost: the row is there, and counts for nothing.
  expect(await recordedSubscriptions(customer)).toMatchObject([
    { id: subscription, status: "active" },
  ]);
});

testInProof("refresh shows that there is no plan, with no error", async () => {
  const { visitor } = await boughtUnderTestKeys();
  const refreshed = await visitor.post("/dashboard?index", {});
  expect(refreshed.status).toBe(200);
  const words = await textAt(visitor, "/dashboard");
  expect(words).toContain("No plan yet");
  expect(words).toContain("Choose a plan");
});

testInProof(
  "the button of the portal leads to the prices, and the next visit shows no plan",
  async () => {
    const { visitor } = await boughtUnderTestKeys();
    const portal = await visitor.post("/dashboard/billing", {});
    expect([portal.status, portal.headers.get("location")]).toEqual([303, "/pricing"]);
    expect(await textAt(visitor, "/dashboard")).toContain("No plan yet");
  },
);

testInProof("a signed event about one ends with 200 and one line in the log", async () => {
  const id = "cus_of_another_account";
  const event = madeUpEvent("customer.updated", { id, object: "customer" });
  const response = await deliver(event, { siteUrl: faultySite().url });
  expect(response.status).toBe(200);
  const lines = await faultySite().logged({ eventId: event.id });
  expect(lines).toMatchObject([
    { level: "warn", message: "Stripe does not know the customer of an event" },
  ]);
  expect((await database.from("customers").select("id")).data).toEqual([]);
  expect(await (await deliver(event, { siteUrl: faultySite().url })).json()).toEqual({
    outcome: "Already handled",
  });
});

testInProof(
  "the reconciliation notes who is unknown, and takes it back when Stripe lists them again",
  async () => {
    const { visitor, customer } = await boughtUnderTestKeys();
    await runUntilDone(faultySite());
    expect(await missingSince(customer)).not.toBeNull();
    expect(await textAt(visitor, "/dashboard")).toContain("No plan yet");

    faultySite().recover();
    await beginAnew();
    await runUntilDone(faultySite());
    expect(await missingSince(customer)).toBeNull();
    expect(await textAt(visitor, "/dashboard")).toContain("Active");
  },
);

testInProof.for(["lists them no more", "refuses to list them"])(
  "a deleted customer's plans have ended, where Stripe %s",
  async (how) => {
    const visitor = await signedIn(email, faultySite().url);
    const { customer } = await buyAtStripe({ email, userId: await userIdOf(email) });
    await settledStripeEvents();
    await pauseDeliveries();
    await stripe.customers.del(customer);
    faultySite().stripeProxy.behave(async ({ path }, forward) => {
      if (!path.startsWith("/v1/subscriptions?") || !path.includes(customer)) return forward();
      if (how === "refuses to list them") return resourceMissing(customer);
      const body = '{"object":"list","data":[],"has_more":false,"url":"/v1/subscriptions"}';
      return { status: 200, headers: { "content-type": "application/json" }, body };
    });
    const event = madeUpEvent("customer.deleted", { id: customer, object: "customer" });
    expect((await deliver(event, { siteUrl: faultySite().url })).status).toBe(200);
    expect(await recordedSubscriptions(customer)).toMatchObject([{ status: "canceled" }]);
    expect(await textAt(visitor, "/dashboard")).toContain("Ended");
    await buyBasic(visitor);
    expect(await textAt(visitor, "/dashboard")).toContain("Active");
  },
);
