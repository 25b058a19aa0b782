import type Stripe from "stripe";
import { expect, test } from "vitest";
import {
  cards,
  eventTypes,
  type Fake,
  openCheckout,
  pageOf,
  prices,
  refusal,
  startFake,
  submit,
} from "../../support/billing/stripe-fake.ts";

type Terms = Partial<Stripe.Checkout.SessionCreateParams>;

/** A purchase on the hosted page with whatever else is typed there. */
async function purchase(fake: Fake, terms: Terms = {}, typed: Record<string, string> = {}) {
  const session = await openCheckout(fake, terms);
  const page = pageOf(fake, session);
  if (typed.promotion_code) {
    const applied = await submit(page, { intent: "code", ...typed });
    expect(applied.status).toBe(200);
  }
  const fields = { email: "ann@example.com", card: cards.good, ...typed };
  expect((await submit(page, fields)).status).toBe(303);
  const paid = await fake.stripe.checkout.sessions.retrieve(session.id);
  const invoice = await fake.stripe.invoices.retrieve(String(paid.invoice));
  return {
    session: paid,
    invoice,
    subscription: String(paid.subscription),
    customer: String(paid.customer),
  };
}

const germany = { country: "DE", line1: "Weg 1", city: "Berlin", postal_code: "10115" };

test("a promotion code typed at the checkout takes its percent off for its months, then no more", async () => {
  await using fake = await startFake();
  const { stripe } = fake;
  const coupon = await stripe.coupons.create({
    percent_off: 20,
    duration: "repeating",
    duration_in_months: 2,
  });
  await stripe.promotionCodes.create({
    code: "LAUNCH20",
    promotion: { type: "coupon", coupon: coupon.id },
  });
  const session = await openCheckout(fake);
  const refused = await submit(pageOf(fake, session), {
    intent: "code",
    promotion_code: "NOTHING",
  });
  expect(await refused.text()).toContain("This code is invalid.");

  const bought = await purchase(fake, {}, { promotion_code: "launch20" });
  expect(bought.session).toMatchObject({
    amount_subtotal: 10999,
    amount_total: 8799,
    total_details: { amount_discount: 2200 },
  });
  expect(bought.invoice).toMatchObject({ subtotal: 10999, total: 8799, amount_paid: 8799 });
  const subscription = await stripe.subscriptions.retrieve(bought.subscription, {
    expand: ["discounts.source.coupon"],
  });
  expect(subscription.discounts).toMatchObject([
    { source: { coupon: { percent_off: 20 } }, end: expect.any(Number) },
  ]);
  for (let month = 0; month < 2; month += 1)
    await fake.control(`subscriptions/${bought.subscription}/renew`, {});
  const { data } = await stripe.invoices.list({ customer: bought.customer });
  expect(data.map(({ total }) => total)).toEqual([10999, 8799, 8799]);
  expect((await stripe.coupons.retrieve(coupon.id)).times_redeemed).toBe(1);
});

test("a coupon of an amount counts once and is never more than the price", async () => {
  await using fake = await startFake();
  const { id: coupon } = await fake.stripe.coupons.create({
    amount_off: 20000,
    currency: "usd",
    duration: "once",
  });
  const session = await fake.stripe.checkout.sessions.create({
    mode: "subscription",
    line_items: [{ price: prices.basic, quantity: 1 }],
    discounts: [{ coupon }],
    success_url: "http://localhost/success",
  });
  expect(session.amount_total).toBe(0);
  await submit(pageOf(fake, session), { email: "ann@example.com", card: cards.failsLater });
  const { subscription } = await fake.stripe.checkout.sessions.retrieve(session.id);
  const { discounts } = await fake.stripe.subscriptions.retrieve(String(subscription));
  expect(discounts).toEqual([]);
  const [invoice] = (await fake.stripe.invoices.list()).data;
  expect(invoice).toMatchObject({ status: "paid", amount_due: 0, amount_paid: 0 });
});

test("automatic tax is added to a price, or is inside one that includes it", async () => {
  await using fake = await startFake();
  const { stripe } = fake;
  const terms: Terms = { automatic_tax: { enabled: true } };
  const session = await openCheckout(fake, terms);
  const without = await submit(pageOf(fake, session), {
    email: "ann@example.com",
    card: cards.good,
  });
  expect(await without.text()).toContain("Choose your country.");

  const added = await purchase(fake, terms, germany);
  expect(added.invoice).toMatchObject({
    subtotal: 10999,
    total: 13089,
    total_excluding_tax: 10999,
    total_taxes: [{ amount: 2090, tax_behavior: "exclusive", taxability_reason: "standard_rated" }],
    automatic_tax: { enabled: true, status: "complete" },
  });
  expect(added.session).toMatchObject({ amount_subtotal: 10999, amount_total: 13089 });

  await stripe.prices.update(prices.basic, { tax_behavior: "inclusive" });
  const inside = await purchase(fake, terms, { ...germany, email: "bob@example.com" });
  expect(inside.invoice).toMatchObject({
    total: 10999,
    total_excluding_tax: 9243,
    total_taxes: [{ amount: 1756, tax_behavior: "inclusive" }],
  });
});

test("a business elsewhere in the Union pays its tax itself, and accepted the terms", async () => {
  await using fake = await startFake();
  const terms: Terms = {
    automatic_tax: { enabled: true },
    tax_id_collection: { enabled: true },
    consent_collection: { terms_of_service: "required" },
  };
  const session = await openCheckout(fake, terms);
  const typed = { ...germany, country: "FR", email: "ann@example.com", card: cards.good };
  const unaccepted = await submit(pageOf(fake, session), typed);
  expect(await unaccepted.text()).toContain("Please accept the terms of service");
  const wrong = await submit(pageOf(fake, session), { ...typed, tax_id: "FR1", terms: "yes" });
  expect(await wrong.text()).toContain("This tax ID is invalid.");

  const bought = await purchase(fake, terms, {
    ...typed,
    business_name: "Ann SARL",
    tax_id: "FRAB123456789",
    terms: "yes",
  });
  expect(bought.invoice).toMatchObject({
    total: 10999,
    total_taxes: [{ amount: 0, taxability_reason: "reverse_charge" }],
    customer_tax_ids: [{ type: "eu_vat", value: "FRAB123456789" }],
  });
  expect(bought.session).toMatchObject({
    consent: { terms_of_service: "accepted" },
    customer_details: { name: "Ann SARL", address: { country: "FR" } },
  });
});

test("a customer whom Stripe knows is asked for what may be kept of it, or the session is refused", async () => {
  await using fake = await startFake();
  const { id: customer } = await fake.stripe.customers.create({ email: "ann@example.com" });
  const open = (terms: Terms) => openCheckout(fake, { customer, ...terms });
  expect(await refusal(open({ automatic_tax: { enabled: true } }))).toMatchObject({
    code: "customer_tax_location_invalid",
  });
  expect((await refusal(open({ tax_id_collection: { enabled: true } }))).message).toContain(
    "customer_update[name]",
  );
  await purchase(
    fake,
    { customer, automatic_tax: { enabled: true }, customer_update: { address: "auto" } },
    germany,
  );
  expect(await fake.stripe.customers.retrieve(customer)).toMatchObject({
    address: { country: "DE", line1: "Weg 1" },
  });
});

test("credit pays the next invoice first, and what is left stays", async () => {
  await using fake = await startFake();
  const { stripe } = fake;
  const { customer, subscription } = await purchase(fake);
  await stripe.customers.createBalanceTransaction(customer, { amount: -15000, currency: "usd" });
  await fake.control(`subscriptions/${subscription}/renew`, {});
  await fake.control(`subscriptions/${subscription}/renew`, {});
  const { data } = await stripe.invoices.list({ customer });
  expect(
    data.map(({ total, amount_paid, ending_balance }) => [total, amount_paid, ending_balance]),
  ).toEqual([
    [10999, 6998, 0],
    [10999, 0, -4001],
    [10999, 10999, 0],
  ]);
  const transactions = await stripe.customers.listBalanceTransactions(customer);
  expect(transactions.data.map(({ amount, type }) => [amount, type])).toEqual([
    [4001, "applied_to_invoice"],
    [10999, "applied_to_invoice"],
    [-15000, "adjustment"],
  ]);
});

test("the payment of an invoice says why it failed, and an expired card is one reason", async () => {
  await using fake = await startFake();
  const { stripe } = fake;
  const soon = new Date();
  const expires = `${soon.getUTCMonth() + 1} / ${soon.getUTCFullYear()}`;
  const reasons = [];
  const ways: Record<string, string>[] = [
    { card: cards.failsLater },
    { card: cards.good, expires },
  ];
  for (const typed of ways) {
    const { subscription, customer } = await purchase(fake, {}, typed);
    await fake.control(`subscriptions/${subscription}/renew`, {});
    const [invoice] = (await stripe.invoices.list({ customer, status: "open" })).data;
    const { data } = await stripe.invoicePayments.list({
      invoice: invoice?.id ?? "",
      status: "open",
      expand: ["data.payment.payment_intent"],
    });
    const intent = data[0]?.payment.payment_intent;
    reasons.push(typeof intent === "object" ? intent.last_payment_error?.code : intent);
  }
  expect(reasons).toEqual(["card_declined", "expired_card"]);
});

test("a payment is given back in parts, never more than was paid", async () => {
  await using fake = await startFake();
  const { stripe } = fake;
  const { invoice } = await purchase(fake);
  const [payment] = (await stripe.invoicePayments.list({ invoice: invoice.id })).data;
  const payment_intent = String(payment?.payment.payment_intent);
  await stripe.refunds.create({ payment_intent, amount: 999 });
  await stripe.refunds.create({ payment_intent });
  const refunds = await stripe.refunds.list({ payment_intent });
  expect(refunds.data.map(({ amount }) => amount)).toEqual([10000, 999]);
  expect(await refusal(stripe.refunds.create({ payment_intent }))).toMatchObject({
    code: "charge_already_refunded",
  });
  expect((await eventTypes(fake)).slice(-2)).toEqual(["refund.created", "charge.refunded"]);
});

test("a disputed payment is announced, cannot be refunded, and is closed by the bank", async () => {
  await using fake = await startFake();
  const { stripe } = fake;
  const { subscription, customer } = await purchase(fake);
  const made = await fake.control<Stripe.Dispute>(`subscriptions/${subscription}/dispute`, {});
  expect(made).toMatchObject({ amount: 10999, status: "needs_response" });
  const charge = await stripe.charges.retrieve(String(made.charge));
  expect(charge).toMatchObject({ disputed: true, customer });
  expect(await refusal(stripe.refunds.create({ charge: charge.id }))).toMatchObject({
    code: "charge_disputed",
  });
  await fake.control(`disputes/${made.id}/lost`, {});
  expect((await stripe.disputes.retrieve(made.id)).status).toBe("lost");
  expect((await eventTypes(fake)).slice(-2)).toEqual([
    "charge.dispute.created",
    "charge.dispute.closed",
  ]);
});

test("an invoice's PDF is one, with its number and its total", async () => {
  await using fake = await startFake();
  const { invoice } = await purchase(fake);
  const response = await fetch(invoice.invoice_pdf ?? "");
  expect(response.headers.get("content-type")).toBe("application/pdf");
  const file = await response.text();
  expect(file).toMatch(/^%PDF-1\.4/);
  expect(file).toContain(`Invoice ${invoice.number}`);
  expect(file).toContain("Total $109.99");
});
