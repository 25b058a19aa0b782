import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type Stripe from "stripe";
import { expect, test } from "vitest";
import {
  cards,
  type Fake,
  openCheckout,
  prices,
  refusal,
  startFake,
  submit,
  subscribe,
} from "../../support/billing/stripe-fake.ts";

const day = 24 * 60 * 60;

const moveTo = (fake: Fake, advanceTo: number) =>
  fake.control<{ now: number; happened: number }>("clock", { advanceTo });

async function periodOf({ stripe }: Fake, subscription: string) {
  const { items } = await stripe.subscriptions.retrieve(subscription);
  const [item] = items.data;
  if (!item) throw new Error("The subscription has no item.");
  return { item: item.id, start: item.current_period_start, end: item.current_period_end };
}

const invoicesOf = async ({ stripe }: Fake, subscription: string) =>
  (await stripe.invoices.list({ subscription, limit: 100 })).data;

test("time goes on to the given second, forwards only, and a reset takes it back", async () => {
  await using fake = await startFake();
  const { now } = await fake.control<{ now: number }>("clock");
  const moved = await moveTo(fake, now + 30 * day);
  expect(moved).toMatchObject({ now: now + 30 * day, happened: 0 });
  const customer = await fake.stripe.customers.create({});
  expect(customer.created).toBeGreaterThanOrEqual(now + 30 * day);
  const back = await fetch(`${fake.url}/_local/clock`, {
    method: "POST",
    body: JSON.stringify({ advanceTo: now }),
  });
  expect(back.status).toBe(409);
  await fake.reset();
  const after = await fake.control<{ now: number }>("clock");
  expect(after.now).toBeLessThan(now + 30 * day);
});

test("what renews while the collection is paused is void, and the pause ends in its second", async () => {
  await using fake = await startFake();
  const { subscription } = await subscribe(fake);
  const { end } = await periodOf(fake, subscription);
  const resumes_at = end + 40 * day;
  await fake.stripe.subscriptions.update(subscription, {
    pause_collection: { behavior: "void", resumes_at },
  });
  await moveTo(fake, end + 35 * day);
  const states = async () => (await invoicesOf(fake, subscription)).map(({ status }) => status);
  expect(await states()).toEqual(["void", "void", "paid"]);
  const paused = await fake.stripe.subscriptions.retrieve(subscription);
  expect([paused.status, paused.pause_collection?.resumes_at]).toEqual(["active", resumes_at]);
  await moveTo(fake, resumes_at);
  expect((await fake.stripe.subscriptions.retrieve(subscription)).pause_collection).toBeNull();
  await moveTo(fake, end + 65 * day);
  expect(await states()).toEqual(["paid", "void", "void", "paid"]);
});

test("the home page says what day it is, and its buttons move time on", async () => {
  await using fake = await startFake();
  const { subscription } = await subscribe(fake);
  const { end } = await periodOf(fake, subscription);
  const home = `${fake.url}/_local`;
  const shown = await (await fetch(home)).text();
  const [, month] = /name="advanceTo" value="(\d+)"><button>A month later/.exec(shown) ?? [];
  expect(Number(month)).toBeGreaterThanOrEqual(end);
  const moved = await submit(`${home}/clock`, { advanceTo: month ?? "" });
  expect([moved.status, moved.headers.get("location")]).toEqual([303, "/_local"]);
  const day = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });
  expect(await (await fetch(home)).text()).toContain(`It is ${day.format(Number(month) * 1000)}`);
  expect(await invoicesOf(fake, subscription)).toHaveLength(2);
});

test("in a year a monthly plan is renewed twelve times, on its day, and a yearly one once", async () => {
  await using fake = await startFake();
  const monthly = await subscribe(fake);
  const [yearly] = await fake.control<{ subscription: string }[]>("purchases", {
    purchases: [{ email: "bob@example.com", price: prices.pro, card: "good" }],
  });
  const { start } = await periodOf(fake, monthly.subscription);
  const { end } = await periodOf(fake, yearly?.subscription ?? "");
  await moveTo(fake, end);
  const renewals = (await invoicesOf(fake, monthly.subscription)).filter(
    ({ billing_reason }) => billing_reason === "subscription_cycle",
  );
  expect(renewals.map(({ status, amount_paid }) => [status, amount_paid])).toEqual(
    Array.from({ length: 12 }, () => ["paid", 10999]),
  );
  const bought = new Date(start * 1000).getUTCDate();
  for (const { created } of renewals) {
    const on = new Date(created * 1000);
    const last = new Date(Date.UTC(on.getUTCFullYear(), on.getUTCMonth() + 1, 0)).getUTCDate();
    expect(on.getUTCDate()).toBe(Math.min(bought, last));
  }
  expect(await invoicesOf(fake, yearly?.subscription ?? "")).toHaveLength(2);
  const events = await fake.control<Stripe.Event[]>("events");
  const times = events.map(({ created }) => created);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
});

test("a failed renewal is tried again after three, five and seven days, then the plan ends", async () => {
  await using fake = await startFake();
  const { subscription } = await subscribe(fake, cards.failsLater);
  const { end } = await periodOf(fake, subscription);
  const state = () => fake.stripe.subscriptions.retrieve(subscription);
  await moveTo(fake, end);
  const [open] = await invoicesOf(fake, subscription);
  expect(open).toMatchObject({ attempt_count: 1, next_payment_attempt: end + 3 * day });
  await moveTo(fake, end + 14 * day);
  expect((await state()).status).toBe("past_due");
  const [tried] = await invoicesOf(fake, subscription);
  expect(tried).toMatchObject({ attempt_count: 3, next_payment_attempt: end + 15 * day });
  await moveTo(fake, end + 15 * day);
  expect(await state()).toMatchObject({
    status: "canceled",
    ended_at: end + 15 * day,
    cancellation_details: { reason: "payment_failed" },
  });
});

test("what becomes of a plan whose payment is given up is the account's setting", async () => {
  await using fake = await startFake();
  for (const outcome of ["unpaid", "past_due"] as const) {
    await fake.control("retries", { end: outcome });
    const { subscription } = await subscribe(fake, cards.failsLater);
    const { end } = await periodOf(fake, subscription);
    await moveTo(fake, end + 16 * day);
    expect((await fake.stripe.subscriptions.retrieve(subscription)).status).toBe(outcome);
  }
});

test("a card that is mended before the next try keeps the plan", async () => {
  await using fake = await startFake();
  const { subscription, customer } = await subscribe(fake, cards.failsLater);
  const { end } = await periodOf(fake, subscription);
  await moveTo(fake, end + day);
  await fake.control(`customers/${customer}/card`, { behaviour: "good" });
  await moveTo(fake, end + 3 * day);
  expect((await fake.stripe.subscriptions.retrieve(subscription)).status).toBe("active");
  expect((await invoicesOf(fake, subscription))[0]).toMatchObject({ status: "paid" });
});

test("what ends with its period ends then, and not before", async () => {
  await using fake = await startFake();
  const { subscription } = await subscribe(fake);
  const { end } = await periodOf(fake, subscription);
  await fake.stripe.subscriptions.update(subscription, {
    cancel_at_period_end: true,
    cancellation_details: { feedback: "too_expensive" },
  });
  await moveTo(fake, end - 60);
  expect((await fake.stripe.subscriptions.retrieve(subscription)).status).toBe("active");
  await moveTo(fake, end);
  expect(await fake.stripe.subscriptions.retrieve(subscription)).toMatchObject({
    status: "canceled",
    ended_at: end,
    cancellation_details: { feedback: "too_expensive", reason: "cancellation_requested" },
  });
});

test("what ends on a day that was set ends then; the day is taken back with an empty one", async () => {
  await using fake = await startFake();
  const { subscriptions } = fake.stripe;
  const { subscription } = await subscribe(fake);
  const { start } = await periodOf(fake, subscription);
  const set = await subscriptions.update(subscription, { cancel_at: start + 40 * day });
  expect(set).toMatchObject({ cancel_at: start + 40 * day, cancel_at_period_end: false });
  await moveTo(fake, start + 39 * day);
  expect((await subscriptions.retrieve(subscription)).status).toBe("active");
  expect(await subscriptions.update(subscription, { cancel_at: "" })).toMatchObject({
    cancel_at: null,
    canceled_at: null,
  });
  await moveTo(fake, start + 41 * day);
  await subscriptions.update(subscription, { cancel_at: start + 45 * day });
  await moveTo(fake, start + 46 * day);
  expect(await subscriptions.retrieve(subscription)).toMatchObject({
    status: "canceled",
    ended_at: start + 45 * day,
  });
  expect(await refusal(subscriptions.update(subscription, { cancel_at: start }))).toMatchObject({
    statusCode: 400,
  });
});

test("a change that nobody pays for is discarded after 23 hours, and its invoice is void", async () => {
  await using fake = await startFake();
  const { subscription } = await subscribe(fake, cards.failsLater);
  const { item } = await periodOf(fake, subscription);
  const pending = await fake.stripe.subscriptions.update(subscription, {
    items: [{ id: item, price: prices.pro }],
    proration_behavior: "always_invoice",
    payment_behavior: "pending_if_incomplete",
  });
  const until = pending.pending_update?.expires_at ?? 0;
  await moveTo(fake, until - 60);
  expect((await fake.stripe.subscriptions.retrieve(subscription)).pending_update).not.toBeNull();
  await moveTo(fake, until);
  expect(await fake.stripe.subscriptions.retrieve(subscription)).toMatchObject({
    status: "active",
    pending_update: null,
    items: { data: [{ price: { id: prices.basic } }] },
  });
  const [invoice] = await invoicesOf(fake, subscription);
  expect(invoice).toMatchObject({ status: "void" });
  const pay = fake.stripe.invoices.pay(invoice?.id ?? "");
  expect(await refusal(pay)).toMatchObject({ statusCode: 400 });
});

test("a change previewed a minute before a renewal is refused after it, and nothing is charged twice", async () => {
  await using fake = await startFake();
  const { stripe } = fake;
  const { subscription } = await subscribe(fake);
  const { item, end } = await periodOf(fake, subscription);
  await moveTo(fake, end - 60);
  const change = {
    items: [{ id: item, price: prices.pro }],
    proration_behavior: "always_invoice" as const,
    proration_date: end - 50,
  };
  // A minute of $109.99 is less than half a cent.
  const before = await stripe.invoices.createPreview({
    subscription,
    subscription_details: change,
  });
  expect(before.amount_due).toBe(99999);
  await moveTo(fake, end + 5);
  const late = stripe.subscriptions.update(subscription, {
    ...change,
    payment_behavior: "pending_if_incomplete",
  });
  expect(await refusal(late)).toMatchObject({ statusCode: 400, param: "proration_date" });
  expect((await invoicesOf(fake, subscription)).map(({ amount_paid }) => amount_paid)).toEqual([
    10999, 10999,
  ]);
  // Previewed anew, the month that was just paid is credited whole.
  const anew = { ...change, proration_date: end };
  const after = await stripe.invoices.createPreview({ subscription, subscription_details: anew });
  expect(after.amount_due).toBe(99999 - 10999);
  const changed = await stripe.subscriptions.update(subscription, {
    ...anew,
    payment_behavior: "pending_if_incomplete",
    expand: ["latest_invoice"],
  });
  expect(changed.latest_invoice).toMatchObject({ amount_paid: after.amount_due });
});

test("a checkout that nobody finishes expires after its day", async () => {
  await using fake = await startFake();
  const session = await openCheckout(fake);
  await moveTo(fake, session.expires_at);
  const events = await fake.control<Stripe.Event[]>("events");
  expect(events.map(({ type }) => type)).toEqual(["checkout.session.expired"]);
});

test("an account's file of an earlier version is read, with what was added since", async () => {
  const folder = await mkdtemp(join(tmpdir(), "stripe-fake-"));
  try {
    const file = join(folder, "stripe.json");
    let subscription = "";
    {
      await using fake = await startFake(file);
      subscription = (await subscribe(fake)).subscription;
    }
    const stored = await readFile(file, "utf8");
    expect(stored).toContain("clockAhead");
    await writeFile(file, JSON.stringify(withoutAdded(JSON.parse(stored))));
    await using fake = await startFake(file);
    const { end } = await periodOf(fake, subscription);
    const schedule = await fake.stripe.subscriptionSchedules.create({
      from_subscription: subscription,
    });
    expect(schedule.status).toBe("active");
    await moveTo(fake, end);
    expect(await invoicesOf(fake, subscription)).toHaveLength(2);
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** What an earlier version wrote: the same without the tables that it did not know. */
function withoutAdded(value: unknown): unknown {
  const added = ["schedules", "pendingLines", "afterRetries", "clockAhead"];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).filter(([name]) => !added.includes(name));
  return Object.fromEntries(entries.map(([name, each]) => [name, withoutAdded(each)]));
}
