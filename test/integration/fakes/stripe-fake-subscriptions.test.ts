import { expect, test } from "vitest";
import {
  cards,
  eventTypes,
  prices,
  refusal,
  startFake,
  submit,
  subscribe,
} from "../../support/billing/stripe-fake.ts";

test("a renewal is paid and the next period begins", async () => {
  await using fake = await startFake();
  const { subscription, customer } = await subscribe(fake);
  const before = await fake.stripe.subscriptions.retrieve(subscription);
  await fake.control(`subscriptions/${subscription}/renew`, {});
  const after = await fake.stripe.subscriptions.retrieve(subscription);
  expect(after.status).toBe("active");
  expect(after.items.data[0]?.current_period_start).toBe(before.items.data[0]?.current_period_end);
  const invoices = await fake.stripe.invoices.list({ customer, subscription });
  expect(invoices.data.map(({ status, billing_reason }) => [status, billing_reason])).toEqual([
    ["paid", "subscription_cycle"],
    ["paid", "subscription_create"],
  ]);
  expect((await eventTypes(fake)).slice(9)).toEqual([
    "invoice.created",
    "customer.subscription.updated",
    "invoice.finalized",
    "invoice.paid",
    "invoice.payment_succeeded",
  ]);
});

test("a renewal that fails leaves the subscription past due until a good card pays", async () => {
  await using fake = await startFake();
  const { subscription, customer } = await subscribe(fake, cards.failsLater);
  const status = async () => (await fake.stripe.subscriptions.retrieve(subscription)).status;
  expect(await status()).toBe("active");
  await fake.control(`subscriptions/${subscription}/renew`, {});
  expect(await status()).toBe("past_due");
  await fake.control(`subscriptions/${subscription}/pay`, {});
  expect(await status()).toBe("past_due");
  const [open] = (await fake.stripe.invoices.list({ customer, status: "open" })).data;
  expect(open).toMatchObject({ attempt_count: 2, amount_remaining: 10999 });
  await fake.control(`customers/${customer}/card`, { behaviour: "good" });
  expect(await status()).toBe("past_due");
  await fake.control(`subscriptions/${subscription}/pay`, {});
  expect(await status()).toBe("active");
  expect((await eventTypes(fake)).slice(9)).toEqual([
    "invoice.created",
    "customer.subscription.updated",
    "invoice.finalized",
    "invoice.payment_failed",
    "customer.subscription.updated",
    "invoice.payment_failed",
    "payment_method.attached",
    "customer.updated",
    "customer.subscription.updated",
    "invoice.paid",
    "invoice.payment_succeeded",
    "customer.subscription.updated",
  ]);
});

test("a subscription cancelled at the period's end goes on until then", async () => {
  await using fake = await startFake();
  const { subscription, customer } = await subscribe(fake);
  const { subscriptions } = fake.stripe;
  const ending = await subscriptions.update(subscription, { cancel_at_period_end: true });
  expect(ending).toMatchObject({ status: "active", cancel_at_period_end: true });
  expect(ending.cancel_at).toBe(ending.items.data[0]?.current_period_end);
  await fake.control(`subscriptions/${subscription}/renew`, {});
  const ended = await subscriptions.retrieve(subscription);
  expect(ended).toMatchObject({ status: "canceled", ended_at: ending.cancel_at });
  expect((await subscriptions.list({ customer })).data).toEqual([]);
  expect((await subscriptions.list({ customer, status: "all" })).data).toHaveLength(1);
  expect((await eventTypes(fake)).slice(9)).toEqual([
    "customer.subscription.updated",
    "customer.subscription.deleted",
  ]);
});

test("a subscription can be cancelled at once, once", async () => {
  await using fake = await startFake();
  const { subscription } = await subscribe(fake);
  expect((await fake.stripe.subscriptions.cancel(subscription)).status).toBe("canceled");
  expect(await refusal(fake.stripe.subscriptions.cancel(subscription))).toMatchObject({
    statusCode: 404,
  });
  const update = fake.stripe.subscriptions.update(subscription, { cancel_at_period_end: true });
  expect(await refusal(update)).toMatchObject({ statusCode: 400 });
});

test("a subscription changes to a price with another interval and is charged for it", async () => {
  await using fake = await startFake();
  const { subscription } = await subscribe(fake);
  const before = await fake.stripe.subscriptions.retrieve(subscription);
  const item = before.items.data[0]?.id ?? "";
  const after = await fake.stripe.subscriptions.update(subscription, {
    items: [{ id: item, price: prices.pro }],
    proration_behavior: "none",
    expand: ["latest_invoice"],
  });
  expect(after.items.data).toMatchObject([{ id: item, price: { id: prices.pro } }]);
  expect(after.latest_invoice).toMatchObject({ amount_paid: 99999, status: "paid" });
});

test("the portal shows the plan, cancels it, keeps it and changes the card", async () => {
  await using fake = await startFake();
  const { subscription, customer } = await subscribe(fake, cards.failsLater);
  const portal = await fake.stripe.billingPortal.sessions.create({
    customer,
    return_url: "http://localhost:8787/dashboard",
  });
  const shown = await (await fetch(portal.url)).text();
  for (const part of ["Basic", "$109.99", "Cancel plan", "ending in 0341", "Return to", "/i/in_"])
    expect(shown).toContain(part);
  const state = () => fake.stripe.subscriptions.retrieve(subscription);

  const cancelled = await submit(portal.url, { intent: "cancel", subscription });
  expect(cancelled.status).toBe(303);
  expect(await state()).toMatchObject({ status: "active", cancel_at_period_end: true });
  expect(await (await fetch(portal.url)).text()).toContain("Don&#39;t cancel");
  await submit(portal.url, { intent: "renew", subscription });
  expect(await state()).toMatchObject({ cancel_at_period_end: false, cancel_at: null });

  await fake.control(`subscriptions/${subscription}/renew`, {});
  expect((await state()).status).toBe("past_due");
  // Its own card is charged as long as it has one; the portal gives the customer another.
  await submit(portal.url, { intent: "good" });
  expect((await state()).status).toBe("past_due");
  await fake.stripe.subscriptions.update(subscription, { default_payment_method: "" });
  await submit(portal.url, { intent: "good" });
  expect((await state()).status).toBe("active");
});

test("the portal does not touch another customer's subscription", async () => {
  await using fake = await startFake();
  const { subscription } = await subscribe(fake);
  const stranger = await fake.stripe.customers.create({ email: "bob@example.com" });
  const portal = await fake.stripe.billingPortal.sessions.create({ customer: stranger.id });
  await submit(portal.url, { intent: "cancel", subscription });
  expect(await fake.stripe.subscriptions.retrieve(subscription)).toMatchObject({
    cancel_at_period_end: false,
  });
});

test("portal configurations are created, listed and changed", async () => {
  await using fake = await startFake();
  const { configurations } = fake.stripe.billingPortal;
  const made = await configurations.create({
    business_profile: { headline: "LiveKit Deploy" },
    features: {
      invoice_history: { enabled: true },
      subscription_cancel: { enabled: true, mode: "at_period_end" },
    },
  });
  expect(made.features.payment_method_update.enabled).toBe(false);
  const changed = await configurations.update(made.id, {
    features: { payment_method_update: { enabled: true } },
  });
  expect(changed.features).toMatchObject({
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
  });
  expect((await configurations.list({ is_default: true })).data).toHaveLength(1);
});
