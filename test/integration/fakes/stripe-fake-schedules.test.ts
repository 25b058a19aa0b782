import { expect, test } from "vitest";
import {
  eventTypes,
  type Fake,
  prices,
  refusal,
  startFake,
  subscribe,
} from "../../support/billing/stripe-fake.ts";

/** A Pro subscription for a year whose schedule makes it Basic at the period's end. */
async function downgraded(fake: Fake) {
  const { stripe } = fake;
  const { subscription: id, customer } = await subscribe(fake);
  const bought = await stripe.subscriptions.retrieve(id);
  await stripe.subscriptions.update(id, {
    items: [{ id: bought.items.data[0]?.id ?? "", price: prices.pro }],
    billing_cycle_anchor: { type: "now" },
    proration_behavior: "none",
  });
  const subscription = await stripe.subscriptions.retrieve(id);
  const item = subscription.items.data[0];
  if (!item) throw new Error("The subscription has no item.");
  const { current_period_start: start, current_period_end: end } = item;
  const created = await stripe.subscriptionSchedules.create({ from_subscription: id });
  const card = String(subscription.default_payment_method);
  const phases = [
    {
      start_date: start,
      end_date: end,
      items: [{ price: prices.pro, quantity: 1 }],
      default_payment_method: card,
      proration_behavior: "none" as const,
    },
    {
      items: [{ price: prices.basic, quantity: 1 }],
      duration: { interval: "month" as const, interval_count: 1 },
      default_payment_method: card,
      proration_behavior: "none" as const,
    },
  ];
  return { id, customer, start, end, created, phases, schedule: created.id, item: item.id };
}

const dayLater = (seconds: number) => seconds + 24 * 60 * 60;

test("a schedule starts with the period that the subscription is in, and changes nothing", async () => {
  await using fake = await startFake();
  const { id, customer, created, start, end } = await downgraded(fake);
  expect(created).toMatchObject({
    status: "active",
    end_behavior: "release",
    subscription: id,
    current_phase: { start_date: start, end_date: end },
    phases: [{ start_date: start, end_date: end, items: [{ price: prices.pro, quantity: 1 }] }],
  });
  const { data } = await fake.stripe.subscriptions.list({
    customer,
    expand: ["data.schedule", "data.default_payment_method"],
  });
  expect(data).toMatchObject([
    {
      schedule: { id: created.id, object: "subscription_schedule" },
      default_payment_method: { card: { last4: "4242" } },
    },
  ]);
  const again = fake.stripe.subscriptionSchedules.create({ from_subscription: id });
  expect(await refusal(again)).toMatchObject({
    statusCode: 400,
    message: `You cannot migrate a subscription that is already attached to a schedule: \`${created.id}\`.`,
  });
  const both = fake.stripe.subscriptionSchedules.create({
    from_subscription: id,
    end_behavior: "cancel",
  });
  expect(await refusal(both)).toMatchObject({ statusCode: 400, param: "end_behavior" });
  expect((await fake.stripe.subscriptionSchedules.list({ customer })).data).toHaveLength(1);
});

test("a scheduled change waits for the period's end and is charged then, as its preview says", async () => {
  await using fake = await startFake();
  const { stripe } = fake;
  const { id, schedule, phases, end } = await downgraded(fake);
  const updated = await stripe.subscriptionSchedules.update(schedule, { phases });
  expect(updated.phases).toMatchObject([
    { end_date: end },
    { start_date: end, items: [{ price: prices.basic }] },
  ]);
  expect((await stripe.subscriptions.retrieve(id)).items.data).toMatchObject([
    { price: { id: prices.pro }, current_period_end: end },
  ]);
  const preview = await stripe.invoices.createPreview({ schedule });
  expect(preview).toMatchObject({ amount_due: 10999, lines: { data: [{ amount: 10999 }] } });
  expect(await stripe.invoices.createPreview({ subscription: id })).toMatchObject({
    amount_due: 10999,
  });

  await fake.control("clock", { advanceTo: dayLater(end) });
  const changed = await stripe.subscriptions.retrieve(id, { expand: ["latest_invoice"] });
  expect(changed.status).toBe("active");
  expect(changed.items.data).toMatchObject([
    { price: { id: prices.basic }, current_period_start: end },
  ]);
  expect(changed.latest_invoice).toMatchObject({
    status: "paid",
    amount_paid: preview.amount_due,
    billing_reason: "subscription_cycle",
  });
  // The last phase is a month; after it nothing manages the subscription, and it goes on.
  expect(changed.schedule).toBe(schedule);
  const [basic] = changed.items.data;
  await fake.control("clock", { advanceTo: dayLater(basic?.current_period_end ?? 0) });
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
    schedule: null,
    status: "active",
    items: { data: [{ price: { id: prices.basic } }] },
  });
  expect(await eventTypes(fake)).toContain("subscription_schedule.completed");
});

test("a released schedule leaves the subscription as it is", async () => {
  await using fake = await startFake();
  const { stripe } = fake;
  const { id, schedule, phases, end } = await downgraded(fake);
  await stripe.subscriptionSchedules.update(schedule, { phases });
  expect(await stripe.subscriptionSchedules.release(schedule)).toMatchObject({
    status: "released",
    subscription: null,
    released_subscription: id,
  });
  await fake.control("clock", { advanceTo: dayLater(end) });
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
    schedule: null,
    items: { data: [{ price: { id: prices.pro } }] },
  });
  const again = stripe.subscriptionSchedules.release(schedule);
  expect(await refusal(again)).toMatchObject({ statusCode: 400 });
});

test("the end of a subscription under a schedule is refused until the schedule is released", async () => {
  await using fake = await startFake();
  const { stripe } = fake;
  const { id, schedule } = await downgraded(fake);
  const cancel = () => stripe.subscriptions.update(id, { cancel_at_period_end: true });
  const refused = await refusal(cancel());
  expect(refused).toMatchObject({ statusCode: 400 });
  expect(refused.message).toBe(
    `The subscription is managed by the subscription schedule \`${schedule}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
  );
  await stripe.subscriptionSchedules.release(schedule);
  expect(await cancel()).toMatchObject({ cancel_at_period_end: true });
});

test("cancelling a schedule ends its subscription, and ending the subscription ends its schedule", async () => {
  await using fake = await startFake();
  const { stripe } = fake;
  const first = await downgraded(fake);
  await stripe.subscriptionSchedules.cancel(first.schedule);
  expect(await stripe.subscriptions.retrieve(first.id)).toMatchObject({ status: "canceled" });
  const second = await downgraded(fake);
  await stripe.subscriptions.cancel(second.id);
  expect(await stripe.subscriptionSchedules.retrieve(second.schedule)).toMatchObject({
    status: "canceled",
  });
});

test("phases that leave out or move the one under way are refused", async () => {
  await using fake = await startFake();
  const { update } = fake.stripe.subscriptionSchedules;
  const change = update.bind(fake.stripe.subscriptionSchedules);
  const { schedule, phases, start, end } = await downgraded(fake);
  const [current, next] = phases;
  if (!current || !next) throw new Error("Two phases were made.");
  const { start_date: _, ...withoutStart } = { ...current };
  for (const wrong of [
    [withoutStart, next],
    [{ ...next, start_date: end }],
    [{ ...current, start_date: start + 60 }, next],
    [current, { ...next, start_date: end + 60 }],
    [{ ...current, end_date: start }, next],
    [{ ...current, duration: { interval: "year" as const } }, next],
  ])
    expect(await refusal(change(schedule, { phases: wrong })), JSON.stringify(wrong)).toMatchObject(
      {
        statusCode: 400,
      },
    );
});

test("what a phase does not name is unset: a card of the subscription's own among it", async () => {
  await using fake = await startFake();
  const { stripe } = fake;
  const { id, schedule, phases, end } = await downgraded(fake);
  const [current, next] = phases;
  if (!current || !next) throw new Error("Two phases were made.");
  const { default_payment_method: _, ...withoutCard } = next;
  await stripe.subscriptionSchedules.update(schedule, { phases: [current, withoutCard] });
  await fake.control("clock", { advanceTo: end });
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
    default_payment_method: null,
    status: "past_due",
  });
});

test("a phase that begins within a period is prorated as it says", async () => {
  await using fake = await startFake();
  const { stripe } = fake;
  const { id, schedule, phases, start, end } = await downgraded(fake);
  const [current, next] = phases;
  if (!current || !next) throw new Error("Two phases were made.");
  const half = start + (end - start) / 2;
  await stripe.subscriptionSchedules.update(schedule, {
    phases: [
      { ...current, end_date: half },
      { ...next, items: [{ price: prices.yearly }], proration_behavior: "always_invoice" },
    ],
  });
  await fake.control("clock", { advanceTo: half });
  const changed = await stripe.subscriptions.retrieve(id, { expand: ["latest_invoice"] });
  expect(changed.items.data).toMatchObject([
    { price: { id: prices.yearly }, current_period_end: end },
  ]);
  // Half of $999.99 is $499.995, rounded up; half of $999.00 is $499.50.
  expect(changed.latest_invoice).toMatchObject({ total: -50, amount_due: 0, status: "paid" });
});

test("a phase that begins discards a change that still waits to be paid", async () => {
  await using fake = await startFake();
  const { stripe } = fake;
  const { id, customer, schedule, phases, start, end, item } = await downgraded(fake);
  const [current, next] = phases;
  if (!current || !next) throw new Error("Two phases were made.");
  await fake.control("clock", { advanceTo: end - 3_600 });
  await fake.control(`customers/${customer}/card`, { behaviour: "failing" });
  const dearer = await stripe.prices.create({
    product: "prod_local_pro",
    currency: "usd",
    unit_amount: 900_000,
    recurring: { interval: "year" },
  });
  const pending = await stripe.subscriptions.update(id, {
    items: [{ id: item, price: dearer.id }],
    proration_behavior: "always_invoice",
    proration_date: start,
    payment_behavior: "pending_if_incomplete",
  });
  expect(pending.pending_update).toMatchObject({ expires_at: end });
  await stripe.subscriptionSchedules.update(schedule, {
    phases: [{ ...current, end_date: end - 60 }, next],
  });
  await fake.control("clock", { advanceTo: end - 30 });
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ pending_update: null });
  expect(await stripe.invoices.retrieve(String(pending.latest_invoice))).toMatchObject({
    status: "void",
  });
  expect(await eventTypes(fake)).toContain("customer.subscription.pending_update_expired");
});
