import type Stripe from "stripe";
import { expect, test } from "vitest";
import {
  receiverUrl,
  startFake,
  startWebhookReceiver,
  subscribe,
} from "../../support/billing/stripe-fake.ts";

test("a paid checkout sends signed events in Stripe's order", async () => {
  await using receiver = await startWebhookReceiver();
  await using fake = await startFake();
  await subscribe(fake);
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
    await fake.control<(Stripe.Event & { deliveries: { state: string }[] })[]>(
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
  const [newest] = (await fake.stripe.events.list({ type: "checkout.session.completed" })).data;
  expect(newest?.id).toBe(stored.at(-1)?.id);
});

test("a delivery that failed is tried again", async () => {
  await using receiver = await startWebhookReceiver([500]);
  await using fake = await startFake();
  await fake.stripe.customers.create({ email: "ann@example.com" });
  await receiver.arrived(2);
  expect(new Set(receiver.events.map((event) => event.id)).size).toBe(1);
  const [event] =
    await fake.control<{ deliveries: { attempts: { status: number }[] }[] }[]>(
      "events?settled=true",
    );
  expect(event?.deliveries[0]).toMatchObject({
    state: "delivered",
    attempts: [{ status: 500 }, { status: 200 }],
  });
});

test("paused webhooks wait, and can be delivered one by one in any order", async () => {
  await using receiver = await startWebhookReceiver();
  await using fake = await startFake();
  await fake.control("webhooks", { paused: true });
  const first = await fake.stripe.customers.create({ email: "ann@example.com" });
  await fake.stripe.customers.update(first.id, { name: "Ann" });
  const events = await fake.control<Stripe.Event[]>("events?settled=true");
  expect(receiver.events).toEqual([]);
  for (const event of [events[1], events[0], events[0]])
    await fake.control(`events/${event?.id}/deliver`, {});
  expect(receiver.events.map((event) => event.type)).toEqual([
    "customer.updated",
    "customer.created",
    "customer.created",
  ]);
  await fake.stripe.customers.update(first.id, { name: "Anna" });
  await fake.control("webhooks", { paused: false });
  await receiver.arrived(4);
  expect(receiver.events).toHaveLength(4);
});

test("an unreachable endpoint does not hold up the answer", async () => {
  await using fake = await startFake();
  await subscribe(fake);
  const [event] =
    await fake.control<{ deliveries: { attempts: { error: string }[] }[] }[]>(
      "events?settled=true",
    );
  expect(event?.deliveries[0]).toMatchObject({ state: "pending", attempts: [{ status: null }] });
});

test("an endpoint made through the API gets its own events with its own secret", async () => {
  await using fake = await startFake();
  const { stripe } = fake;
  const made = await stripe.webhookEndpoints.create({
    url: `${receiverUrl}/other`,
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
    await fake.control<{ type: string; deliveries: { endpoint: string }[] }[]>(
      "events?settled=true",
    );
  expect(events.map((event) => [event.type, event.deliveries.length])).toEqual([
    ["customer.created", 1],
    ["customer.deleted", 2],
  ]);
});
