import type Stripe from "stripe";
import { expect, test } from "vitest";
import {
  eventTypes,
  type Fake,
  openCheckout,
  pageOf,
  prices,
  refusal,
  startFake,
  submit,
  subscribe,
} from "../../support/billing/stripe-fake.ts";

const authenticatingCard = "4000 0027 6000 3184";

/** A subscriber whose card asks its owner at each payment. */
async function careful(fake: Fake) {
  const bought = await subscribe(fake);
  await fake.control(`customers/${bought.customer}/card`, { behaviour: "authenticating" });
  return bought;
}

/** A change to Pro that waits for the card's owner. */
async function waitingChange(fake: Fake) {
  const { stripe } = fake;
  const bought = await careful(fake);
  const before = await stripe.subscriptions.retrieve(bought.subscription);
  const item = before.items.data[0];
  const pending = await stripe.subscriptions.update(bought.subscription, {
    items: [{ id: item?.id ?? "", price: prices.pro }],
    billing_cycle_anchor: { type: "now" },
    proration_behavior: "always_invoice",
    payment_behavior: "pending_if_incomplete",
    expand: ["latest_invoice"],
  });
  const invoice = pending.latest_invoice as Stripe.Invoice;
  return { ...bought, pending, invoice, page: invoice.hosted_invoice_url ?? "" };
}

test("a checkout asks the card's owner first, and charges only when they complete it", async () => {
  await using fake = await startFake();
  const session = await openCheckout(fake);
  const page = pageOf(fake, session);
  const fields = { email: "ann@example.com", card: authenticatingCard };
  const question = await (await submit(page, fields)).text();
  for (const part of ["3-D Secure", "$109.99", "Complete", "Fail", authenticatingCard])
    expect(question).toContain(part);
  const failed = await submit(page, { ...fields, authentication: "fail" });
  expect(await failed.text()).toContain("unable to authenticate your payment method");
  expect(await fake.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
    status: "open",
  });
  const completed = await submit(page, { ...fields, authentication: "complete" });
  expect(completed.status).toBe(303);
  expect(await fake.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
    status: "complete",
  });
});

test("a change that needs the owner waits at the hosted invoice page, and applies when they complete it", async () => {
  await using fake = await startFake();
  const { subscription, pending, page, invoice } = await waitingChange(fake);
  expect(pending.pending_update).not.toBeNull();
  expect(pending.items.data).toMatchObject([{ price: { id: prices.basic } }]);
  expect(await eventTypes(fake)).toContain("invoice.payment_action_required");
  expect(await refusal(fake.stripe.invoices.pay(invoice.id))).toMatchObject({
    statusCode: 402,
    code: "invoice_payment_intent_requires_action",
  });
  const shown = await (await fetch(page)).text();
  for (const part of ["Pay $890.00", "ending in 3184", "Unused time on Basic", "open"])
    expect(shown).toContain(part);
  expect(shown).not.toContain("<script");

  const question = await (await submit(page, {})).text();
  expect(question).toContain("3-D Secure");
  const failed = await (await submit(page, { authentication: "fail" })).text();
  expect(failed).toContain("unable to authenticate your payment method");
  expect((await fake.stripe.subscriptions.retrieve(subscription)).pending_update).not.toBeNull();

  expect((await submit(page, { authentication: "complete" })).status).toBe(303);
  expect(await (await fetch(page)).text()).toContain("This invoice is paid.");
  expect(await fake.stripe.subscriptions.retrieve(subscription)).toMatchObject({
    pending_update: null,
    items: { data: [{ price: { id: prices.pro } }] },
  });
});

test("the page of a void invoice takes no money", async () => {
  await using fake = await startFake();
  const { page, invoice } = await waitingChange(fake);
  await fake.stripe.invoices.voidInvoice(invoice.id);
  for (const shown of [await fetch(page), await submit(page, { authentication: "complete" })]) {
    const words = await shown.text();
    expect(words).toContain("This invoice is void: there is nothing to pay.");
    expect(words).not.toContain("Pay $");
  }
  expect(await fake.stripe.invoices.retrieve(invoice.id)).toMatchObject({
    status: "void",
    amount_paid: 0,
  });
});

test("a renewal that needs the owner is past due until they complete it or pay with another card", async () => {
  await using fake = await startFake();
  const { stripe } = fake;
  const { subscription } = await careful(fake);
  const renewed = async () => {
    await fake.control(`subscriptions/${subscription}/renew`, {});
    const { latest_invoice, status } = await stripe.subscriptions.retrieve(subscription, {
      expand: ["latest_invoice"],
    });
    expect(status).toBe("past_due");
    return (latest_invoice as Stripe.Invoice).hosted_invoice_url ?? "";
  };
  const status = async () => (await stripe.subscriptions.retrieve(subscription)).status;
  await submit(await renewed(), { authentication: "complete" });
  expect(await status()).toBe("active");

  const second = await renewed();
  const declined = await submit(second, { card: "4000 0000 0000 0002" });
  expect(await declined.text()).toContain("Your card was declined.");
  expect(await status()).toBe("past_due");
  await submit(second, { card: "4242 4242 4242 4242" });
  expect(await status()).toBe("active");
});
