import { beforeAll, beforeEach, expect, test } from "vitest";
import {
  expectRecordsToEqualStripe,
  recordedSubscriptions,
} from "../../../support/billing/records.ts";
import { buyAtStripe, stripe } from "../../../support/billing/stripe-account.ts";
import {
  deliver,
  newestEvent,
  pauseDeliveries,
} from "../../../support/billing/webhook-delivery.ts";
import { database } from "../../../support/database/database.ts";
import {
  type FaultProxy,
  faults,
  holdFirstAnswer,
  type ProxyHandler,
} from "../../../support/faults/fault-proxy.ts";
import {
  type SiteWithFaults,
  sharedSiteWithFaults,
} from "../../../support/faults/site-with-faults.ts";
import { sample, testInProof } from "../../../support/run/variants.ts";
import {
  resetFakes,
  settledStripeEvents,
  stripeControl,
} from "../../../support/site/control-fakes.ts";
import { pollUntil } from "../../../support/site/poll.ts";

let site: SiteWithFaults;

beforeAll(async () => {
  site = await sharedSiteWithFaults();
});

beforeEach(async () => {
  site.recover();
  await resetFakes();
  await pauseDeliveries();
});

const failures: [what: string, way: () => FaultProxy, ProxyHandler][] = [
  ["Supabase is down", () => site.supabaseProxy, faults["cut off"]],
  ["Supabase answers 500", () => site.supabaseProxy, faults.error],
  ["Supabase answers garbage", () => site.supabaseProxy, faults.garbage],
  ["Stripe is down", () => site.stripeProxy, faults["cut off"]],
  ["Stripe answers 500", () => site.stripeProxy, faults.error],
  ["Stripe answers garbage", () => site.stripeProxy, faults.garbage],
];

test.for(sample(failures, 2))(
  "when %s a delivery gets 500, and the next one succeeds",
  async ([, way, handler]) => {
    const { customer } = await buyAtStripe();
    const event = await newestEvent("checkout.session.completed", customer);
    way().behave(handler);
    const response = await deliver(event, { siteUrl: site.url });
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ outcome: "Not handled" });
    const [line, ...more] = await site.logged({ eventId: event.id });
    expect(more).toEqual([]);
    expect(line).toMatchObject({
      level: "error",
      eventType: event.type,
      requestId: response.headers.get("x-request-id"),
    });
    expect(await recordedSubscriptions(customer)).toEqual([]);

    way().behave();
    expect((await deliver(event, { siteUrl: site.url })).status).toBe(200);
    await expectRecordsToEqualStripe(customer);
    expect((await database.from("stripe_events").select("id, handled_at")).data).toEqual([
      { id: event.id, handled_at: expect.any(String) },
    ]);
  },
);

test("a failure between reading and writing leaves nothing half written", async () => {
  const { customer } = await buyAtStripe();
  const event = await newestEvent("invoice.paid", customer);
  site.supabaseProxy.behave(async ({ path }, forward) =>
    path.includes("record_subscriptions") ? "cut off" : forward(),
  );
  expect((await deliver(event, { siteUrl: site.url })).status).toBe(500);
  expect((await database.from("customers").select("id")).data).toEqual([]);
  expect((await database.from("stripe_events").select("handled_at")).data).toEqual([
    { handled_at: null },
  ]);
  site.supabaseProxy.behave();
  expect((await deliver(event, { siteUrl: site.url })).status).toBe(200);
  await expectRecordsToEqualStripe(customer);
});

testInProof("an answer that was lost after the write costs nothing", async () => {
  const { customer } = await buyAtStripe();
  const event = await newestEvent("invoice.paid", customer);
  site.supabaseProxy.behave(async ({ path }, forward) => {
    const answer = await forward();
    return path.includes("record_subscriptions") ? "cut off" : answer;
  });
  expect((await deliver(event, { siteUrl: site.url })).status).toBe(500);
  site.supabaseProxy.behave();
  expect((await deliver(event, { siteUrl: site.url })).status).toBe(200);
  await expectRecordsToEqualStripe(customer);
});

test("Stripe sends the event again by itself until the purchase is recorded", async () => {
  await stripeControl("faults", { mode: "error500", match: "/v1/subscriptions" });
  await stripeControl("webhooks", { paused: false });
  const { customer } = await buyAtStripe();
  await settledStripeEvents();
  expect(await recordedSubscriptions(customer)).toEqual([]);
  await stripeControl("faults", { mode: "none" });
  await pollUntil(
    () => recordedSubscriptions(customer),
    (rows) => rows.length === 1,
  );
  await expectRecordsToEqualStripe(customer);
});

test("a read that Stripe answered late does not undo a newer one", async () => {
  const { customer, subscription } = await buyAtStripe();
  const slow = holdFirstAnswer("/v1/subscriptions");
  site.stripeProxy.behave(slow.handler);
  const late = deliver(await newestEvent("invoice.paid", customer), { siteUrl: site.url });
  await slow.reached;

  await stripe.subscriptions.cancel(subscription);
  const ended = await newestEvent("customer.subscription.deleted", customer);
  expect((await deliver(ended, { siteUrl: site.url })).status).toBe(200);
  expect(await recordedSubscriptions(customer)).toMatchObject([{ status: "canceled" }]);

  slow.release();
  expect((await late).status).toBe(200);
  expect(await recordedSubscriptions(customer)).toMatchObject([{ status: "canceled" }]);
  await expectRecordsToEqualStripe(customer);
});
