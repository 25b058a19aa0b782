import { beforeEach, expect, test } from "vitest";
import { handledEventTypes } from "../../../../app/features/billing/subscriptions/webhook-events.ts";
import { expectRecordsToEqualStripe } from "../../../support/billing/records.ts";
import { buyAtStripe, receivedRequests } from "../../../support/billing/stripe-account.ts";
import {
  type Delivery,
  deliver,
  madeUpEvent,
  newestEvent,
  pauseDeliveries,
} from "../../../support/billing/webhook-delivery.ts";
import { database } from "../../../support/database/database.ts";
import { sample, testInProof } from "../../../support/run/variants.ts";
import { resetFakes } from "../../../support/site/control-fakes.ts";
import { siteUrl } from "../../../support/site/own-site.ts";
import { variable } from "../../../support/site/variables.ts";

beforeEach(async () => {
  await resetFakes();
  await pauseDeliveries();
});

const now = () => Math.floor(Date.now() / 1000);

async function expectNothingStored() {
  for (const table of ["stripe_events", "customers", "subscriptions"] as const) {
    expect((await database.from(table).select("id")).data).toEqual([]);
  }
}

const forgeries: [what: string, (event: object) => Delivery][] = [
  ["without a signature", () => ({ signature: null })],
  ["with an empty signature", () => ({ signature: "" })],
  ["with a signature that is none", () => ({ signature: "t=1,v1=zz" })],
  ["with only a time", () => ({ signature: `t=${now()}` })],
  ["signed with another secret", () => ({ secret: "whsec_somebody_elses" })],
  ["signed with the API key", () => ({ secret: variable("STRIPE_SECRET_KEY") })],
  ["signed 301 seconds ago", () => ({ signedAt: now() - 302 })],
  ["signed yesterday", () => ({ signedAt: now() - 86_400 })],
  ["signed in ten minutes", () => ({ signedAt: now() + 600 })],
  ["tampered with", (event) => ({ body: JSON.stringify(event).replace("cus_", "cus_x") })],
  ["with a space more", (event) => ({ body: `${JSON.stringify(event)} ` })],
  ["emptied", () => ({ body: "" })],
];

test.each(sample(forgeries, 7))(
  "a delivery %s gets 400 and nothing is stored",
  async (_, forge) => {
    const { customer } = await buyAtStripe();
    const event = await newestEvent("invoice.paid", customer);
    const before = (await receivedRequests()).length;
    const response = await deliver(event, forge(event));
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ outcome: "Invalid signature" });
    await expectNothingStored();
    expect(await receivedRequests()).toHaveLength(before);
  },
);

test("a delivery signed 290 seconds ago is still taken", async () => {
  const { customer } = await buyAtStripe();
  const event = await newestEvent("invoice.paid", customer);
  expect((await deliver(event, { signedAt: now() - 290 })).status).toBe(200);
  await expectRecordsToEqualStripe(customer);
});

test.each([
  ["of a connected account", { account: "acct_of_another" }],
  ["of live mode under a test key", { livemode: true }],
])("an event %s gets 200, and nobody is read again", async (_, other) => {
  const { customer } = await buyAtStripe();
  const event = { ...(await newestEvent("invoice.paid", customer)), ...other };
  const before = (await receivedRequests()).length;
  const response = await deliver(event);
  expect([response.status, await response.json()]).toEqual([200, { outcome: "Ignored" }]);
  expect(await receivedRequests()).toHaveLength(before);
  await expectNothingStored();
});

testInProof.each([
  ["a type that nobody knows", "entirely.unknown", { customer: "cus_1" }],
  ["a type that we do not handle", "customer.created", { id: "cus_1" }],
  ["a type that looks inherited", "constructor", { customer: "cus_1" }],
  ["a checkout without a customer", "checkout.session.completed", { customer: null }],
])("%s gets 200 and nothing is stored", async (_, type, object) => {
  const response = await deliver(madeUpEvent(type, object));
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ outcome: "Ignored" });
  await expectNothingStored();
  expect(await receivedRequests()).toEqual([]);
});

test("every type about a customer that we ask Stripe for makes us read the customer again", async () => {
  const { customer } = await buyAtStripe();
  for (const type of sample(handledEventTypes, 6)) {
    // It is about a payment: test/integration/billing/dispute-mails.test.ts has it.
    if (type.startsWith("charge.dispute.") || type.startsWith("radar.")) continue;
    // It is read itself: test/integration/billing/checkout/paid-twice.test.ts.
    if (type.startsWith("checkout.session.")) continue;
    await database.from("subscriptions").delete().eq("customer_id", customer);
    const isTheCustomer = type === "customer.updated" || type === "customer.deleted";
    const object = isTheCustomer ? { id: customer } : { customer };
    const event = madeUpEvent(type, object);
    // A card that was taken off names its customer only as what it had before.
    const data = { object: { customer: null }, previous_attributes: { customer } };
    const sent = type === "payment_method.detached" ? { ...event, data } : event;
    expect((await deliver(sent)).status, type).toBe(200);
    await expectRecordsToEqualStripe(customer);
  }
});

testInProof("a customer that was expanded is read again too", async () => {
  const { customer } = await buyAtStripe();
  const event = madeUpEvent("invoice.paid", { customer: { id: customer, object: "customer" } });
  expect((await deliver(event)).status).toBe(200);
  await expectRecordsToEqualStripe(customer);
});

test("a body over 512 KiB gets 413, signed or not, and nothing is stored", async () => {
  const { customer } = await buyAtStripe();
  const event = await newestEvent("invoice.paid", customer);
  const large = { ...event, padding: "x".repeat(520 * 1024) };
  expect((await deliver(large)).status).toBe(413);
  expect((await deliver(large, { signature: null })).status).toBe(413);
  await expectNothingStored();
  const fits = { ...event, padding: "x".repeat(400 * 1024) };
  expect((await deliver(fits)).status).toBe(200);
});

testInProof.each(["GET", "PUT", "DELETE"])("%s gets 405", async (method) => {
  const response = await fetch(`${siteUrl}/api/stripe/webhook`, { method });
  expect(response.status).toBe(405);
  expect(response.headers.get("allow")).toBe("POST");
});
