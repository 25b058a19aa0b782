import type Stripe from "stripe";
import { expect, test } from "vitest";
import {
  cards,
  eventTypes,
  type Fake,
  prices,
  refusal,
  startFake,
  subscribe,
} from "../../support/billing/stripe-fake.ts";

/** A subscription to Basic, $109.99 a month, and what its tests need of it. */
async function basic(fake: Fake, card = cards.good) {
  const { subscription: id, customer } = await subscribe(fake, card);
  const subscription = await fake.stripe.subscriptions.retrieve(id);
  const item = subscription.items.data[0];
  if (!item) throw new Error("The subscription has no item.");
  const { current_period_start: start, current_period_end: end } = item;
  return { id, customer, item: item.id, start, end };
}

/** A price of $199.99 a month beside Basic's $109.99. */
async function dearer({ stripe }: Fake) {
  return stripe.prices.create({
    product: "prod_local_pro",
    currency: "usd",
    unit_amount: 19999,
    recurring: { interval: "month" },
  });
}

const shown = ({ data }: Stripe.ApiList<Stripe.InvoiceLineItem>) =>
  data.map(({ amount, period, parent }) => ({
    amount,
    start: period.start,
    end: period.end,
    proration: parent?.subscription_item_details?.proration,
  }));

const upgrade = (item: string, price: string, date: number) => ({
  items: [{ id: item, price }],
  proration_behavior: "always_invoice" as const,
  proration_date: date,
});

/** To a yearly price, whose period begins now. Stripe takes no date beside that. */
const wholeYear = (item: string) => ({
  items: [{ id: item, price: prices.pro }],
  proration_behavior: "always_invoice" as const,
  billing_cycle_anchor: { type: "now" as const },
});

const amounts = (invoice: Stripe.Invoice) => {
  const { amount_due, subtotal, total, lines } = invoice;
  return { amount_due, subtotal, total, lines: shown(lines) };
};

test("a change with a quarter of the month left credits and charges a quarter, as the preview said", async () => {
  await using fake = await startFake();
  const { id, item, start, end } = await basic(fake);
  const price = await dearer(fake);
  const date = end - (end - start) / 4;
  const preview = await fake.stripe.invoices.createPreview({
    subscription: id,
    subscription_details: upgrade(item, price.id, date),
  });
  // A quarter of $109.99 is $27.4975, a quarter of $199.99 is $49.9975: each is rounded by itself.
  expect(amounts(preview)).toEqual({
    amount_due: 2250,
    subtotal: 2250,
    total: 2250,
    lines: [
      { amount: -2750, start: date, end, proration: true },
      { amount: 5000, start: date, end, proration: true },
    ],
  });
  const changed = await fake.stripe.subscriptions.update(id, {
    ...upgrade(item, price.id, date),
    payment_behavior: "pending_if_incomplete",
    expand: ["latest_invoice"],
  });
  expect(changed).toMatchObject({ status: "active", pending_update: null });
  expect(changed.items.data).toMatchObject([
    { id: item, price: { id: price.id }, current_period_start: start, current_period_end: end },
  ]);
  const invoice = changed.latest_invoice as Stripe.Invoice;
  expect(invoice).toMatchObject({ status: "paid", billing_reason: "subscription_update" });
  expect(amounts(invoice)).toEqual(amounts(preview));
  expect(invoice.lines.data.map(({ description }) => description)).toEqual([
    expect.stringMatching(/^Unused time on Basic after \d\d \w{3} \d{4}$/),
    expect.stringMatching(/^Remaining time on Pro after \d\d \w{3} \d{4}$/),
  ]);
});

test("a yearly price begins a new period, charged whole, less the rest of the month", async () => {
  await using fake = await startFake();
  const { id, customer, item, start, end } = await basic(fake);
  // A cent is four minutes of a month: in the seconds that follow the amount stays.
  await fake.control("clock", { advanceTo: start + (end - start) / 2 + 100 });
  const change = wholeYear(item);
  const preview = await fake.stripe.invoices.createPreview({
    customer,
    subscription: id,
    subscription_details: change,
  });
  // A hundred seconds after half of $109.99, which is $54.995; $999.99 less $54.99 is $945.00.
  expect(preview).toMatchObject({ amount_due: 94500, billing_reason: "upcoming" });
  expect(preview.lines.data.map(({ amount }) => amount)).toEqual([-5499, 99999]);
  const changed = await fake.stripe.subscriptions.update(id, {
    ...change,
    payment_behavior: "pending_if_incomplete",
    expand: ["latest_invoice"],
  });
  const invoice = changed.latest_invoice as Stripe.Invoice;
  expect(invoice).toMatchObject({ amount_paid: 94500, status: "paid" });
  const [now] = changed.items.data;
  expect(now?.price.id).toBe(prices.pro);
  const years = new Date((now?.current_period_start ?? 0) * 1000);
  years.setUTCFullYear(years.getUTCFullYear() + 1);
  expect(now?.current_period_end).toBe(years.getTime() / 1000);
  expect(changed.billing_cycle_anchor).toBe(now?.current_period_start);
});

test("what a cheaper price leaves over is the customer's credit, and the next invoice uses it", async () => {
  await using fake = await startFake();
  const { id, customer, item, start, end } = await basic(fake);
  const price = await dearer(fake);
  await fake.stripe.subscriptions.update(id, upgrade(item, price.id, start));
  const date = start + (end - start) / 2;
  const preview = await fake.stripe.invoices.createPreview({
    subscription: id,
    subscription_details: upgrade(item, prices.basic, date),
  });
  // Half of $199.99 back is $100.00, half of $109.99 is $55.00.
  expect(preview).toMatchObject({ total: -4500, amount_due: 0 });
  const changed = await fake.stripe.subscriptions.update(id, {
    ...upgrade(item, prices.basic, date),
    expand: ["latest_invoice"],
  });
  expect(changed.latest_invoice).toMatchObject({ total: -4500, amount_paid: 0, status: "paid" });
  expect(await fake.stripe.customers.retrieve(customer)).toMatchObject({ balance: -4500 });
  const next = await fake.stripe.invoices.createPreview({ subscription: id });
  expect(next).toMatchObject({ total: 10999, starting_balance: -4500, amount_due: 6499 });
  await fake.control(`subscriptions/${id}/renew`, {});
  const [renewal] = (await fake.stripe.invoices.list({ subscription: id })).data;
  expect(renewal).toMatchObject({ total: 10999, amount_paid: 6499, ending_balance: 0 });
  expect(await fake.stripe.customers.retrieve(customer)).toMatchObject({ balance: 0 });
});

test("prorations that are not invoiced at once are on the next invoice, as its preview says", async () => {
  await using fake = await startFake();
  const { id, item, start, end } = await basic(fake);
  const price = await dearer(fake);
  const details = {
    items: [{ id: item, price: price.id }],
    proration_date: start + (end - start) / 2,
  };
  const preview = await fake.stripe.invoices.createPreview({
    subscription: id,
    subscription_details: details,
  });
  expect(preview.lines.data.map(({ amount }) => amount)).toEqual([-5500, 10000, 19999]);
  await fake.stripe.subscriptions.update(id, details);
  expect((await fake.stripe.invoices.list({ subscription: id })).data).toHaveLength(1);
  await fake.control(`subscriptions/${id}/renew`, {});
  const [renewal] = (await fake.stripe.invoices.list({ subscription: id })).data;
  expect(renewal).toMatchObject({ amount_paid: preview.amount_due, status: "paid" });
});

test("a preview changes nothing, and says when there is nothing to come", async () => {
  await using fake = await startFake();
  const { id, item, start } = await basic(fake);
  const before = await fake.stripe.subscriptions.retrieve(id);
  const events = await eventTypes(fake);
  const { createPreview } = fake.stripe.invoices;
  const preview = createPreview.bind(fake.stripe.invoices);
  const next = await preview({ subscription: id });
  expect(next).toMatchObject({ amount_due: 10999, status: "draft" });
  await preview({ subscription: id, subscription_details: upgrade(item, prices.pro, start) });
  expect(await fake.stripe.subscriptions.retrieve(id)).toEqual(before);
  expect(await eventTypes(fake)).toEqual(events);
  expect((await fake.stripe.invoices.list({ subscription: id })).data).toHaveLength(1);
  const none = preview({
    subscription: id,
    subscription_details: { cancel_at_period_end: true },
  });
  expect(await refusal(none)).toMatchObject({ statusCode: 404, code: "invoice_upcoming_none" });
});

test("a proration date outside the current period is refused, by preview and change", async () => {
  await using fake = await startFake();
  const { id, item, start, end } = await basic(fake);
  for (const date of [start - 1, end + 1]) {
    const change = upgrade(item, prices.pro, date);
    expect(await refusal(fake.stripe.subscriptions.update(id, change))).toMatchObject({
      statusCode: 400,
      param: "proration_date",
    });
    const preview = fake.stripe.invoices.createPreview({
      subscription: id,
      subscription_details: change,
    });
    expect(await refusal(preview)).toMatchObject({
      statusCode: 400,
      param: "subscription_details[proration_date]",
    });
  }
  // What was previewed before a renewal does not hold after it.
  await fake.control(`subscriptions/${id}/renew`, {});
  const late = fake.stripe.subscriptions.update(id, upgrade(item, prices.pro, end - 30));
  expect(await refusal(late)).toMatchObject({ statusCode: 400, param: "proration_date" });
});

async function declinedChange(fake: Fake, card = cards.failsLater) {
  const bought = await basic(fake, card);
  const before = await fake.stripe.subscriptions.retrieve(bought.id);
  const change = {
    ...wholeYear(bought.item),
    payment_behavior: "pending_if_incomplete" as const,
  };
  const pending = await fake.stripe.subscriptions.update(bought.id, {
    ...change,
    expand: ["latest_invoice"],
  });
  return { ...bought, before, change, pending, invoice: pending.latest_invoice as Stripe.Invoice };
}

test("a change whose payment is declined waits, and everything else stays as it was", async () => {
  await using fake = await startFake();
  const { before, pending, invoice } = await declinedChange(fake);
  expect(pending.pending_update?.expires_at).toBe(invoice.created + 23 * 60 * 60);
  expect(pending.pending_update?.subscription_items).toMatchObject([{ price: { id: prices.pro } }]);
  expect(invoice).toMatchObject({ status: "open", amount_due: 99999 - 10999 });
  expect({ ...pending, pending_update: null, latest_invoice: before.latest_invoice }).toEqual(
    before,
  );
});

test("paying the invoice of a pending change applies it; a declined try leaves it waiting", async () => {
  await using fake = await startFake();
  const { id, customer, invoice } = await declinedChange(fake);
  const { invoices, subscriptions } = fake.stripe;
  expect(await refusal(invoices.pay(invoice.id))).toMatchObject({
    statusCode: 402,
    code: "card_declined",
  });
  expect((await subscriptions.retrieve(id)).pending_update).not.toBeNull();
  await fake.control(`customers/${customer}/card`, { behaviour: "good" });
  expect(await invoices.pay(invoice.id)).toMatchObject({ status: "paid" });
  const applied = await subscriptions.retrieve(id);
  expect(applied).toMatchObject({ pending_update: null, status: "active" });
  expect(applied.items.data).toMatchObject([{ price: { id: prices.pro } }]);
  expect(await eventTypes(fake)).toContain("customer.subscription.pending_update_applied");
  expect(await refusal(invoices.pay(invoice.id))).toMatchObject({ statusCode: 400 });
});

test("voiding the invoice of a pending change gives the change up", async () => {
  await using fake = await startFake();
  const { id, before, invoice } = await declinedChange(fake);
  const voided = await fake.stripe.invoices.voidInvoice(invoice.id);
  expect(voided).toMatchObject({ status: "void", auto_advance: false });
  expect(await fake.stripe.subscriptions.retrieve(id)).toEqual({
    ...before,
    latest_invoice: invoice.id,
  });
  expect(await refusal(fake.stripe.invoices.pay(invoice.id))).toMatchObject({ statusCode: 400 });
  expect(await refusal(fake.stripe.invoices.voidInvoice(invoice.id))).toMatchObject({
    statusCode: 400,
  });
});

test("a second change while one is pending takes its place: one open invoice, one charge", async () => {
  await using fake = await startFake();
  const { id, customer, change, invoice } = await declinedChange(fake);
  await fake.control(`customers/${customer}/card`, { behaviour: "good" });
  const changed = await fake.stripe.subscriptions.update(id, change);
  expect(changed).toMatchObject({ pending_update: null });
  const { data } = await fake.stripe.invoices.list({ subscription: id });
  expect(data.map(({ status, amount_paid }) => [status, amount_paid])).toEqual([
    ["paid", 89000],
    ["void", 0],
    ["paid", 10999],
  ]);
  expect(await fake.stripe.invoices.retrieve(invoice.id)).toMatchObject({ status: "void" });
});

test("only what can wait for a payment is taken with pending_if_incomplete", async () => {
  await using fake = await startFake();
  const { id, item } = await basic(fake);
  const update = fake.stripe.subscriptions.update(id, {
    items: [{ id: item, price: prices.pro }],
    payment_behavior: "pending_if_incomplete",
    description: "Pro",
  });
  expect(await refusal(update)).toMatchObject({ statusCode: 400, param: "description" });
});

test("a change that must be paid at once is refused with the card's error and leaves nothing", async () => {
  await using fake = await startFake();
  const { id, item, start } = await basic(fake, cards.failsLater);
  const before = await fake.stripe.subscriptions.retrieve(id);
  const update = fake.stripe.subscriptions.update(id, {
    ...upgrade(item, prices.pro, start),
    payment_behavior: "error_if_incomplete",
  });
  expect(await refusal(update)).toMatchObject({ statusCode: 402, code: "card_declined" });
  expect(await fake.stripe.subscriptions.retrieve(id)).toEqual(before);
  expect((await fake.stripe.invoices.list({ subscription: id })).data).toHaveLength(1);
});

test("a change that may stay unpaid is made and leaves the subscription past due", async () => {
  await using fake = await startFake();
  const { id, item, start } = await basic(fake, cards.failsLater);
  const changed = await fake.stripe.subscriptions.update(id, upgrade(item, prices.pro, start));
  expect(changed.status).toBe("past_due");
  expect(changed.items.data).toMatchObject([{ price: { id: prices.pro } }]);
});
