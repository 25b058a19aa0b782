import type Stripe from "stripe";
import { beforeEach, expect, test } from "vitest";
import { payOnHostedPage, stripe } from "../../support/billing/stripe-account.ts";
import {
  resetFakes,
  settledStripeEvents,
  stripeControl,
} from "../../support/site/control-fakes.ts";
import { textAt, textOfHtml } from "../../support/site/page-text.ts";
import { signedIn, type Visitor } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";
const billing = "/dashboard/billing";
const given = {
  intent: "details",
  email: "accounts@okapi.example",
  company: "Okapi Ltd",
  purchaseOrder: "PO-4711",
  country: "DE",
  line1: "Street 1",
  city: "Berlin",
  postalCode: "10115",
  taxIdType: "eu_vat",
  taxId: "DE123456789",
};

beforeEach(resetFakes);

async function buy(visitor: Visitor, typed: Record<string, string> = {}) {
  const start = await visitor.post("/pricing", { plan: "basic" });
  const page = start.headers.get("location") ?? "";
  if (Object.keys(typed).length === 0) await payOnHostedPage(page);
  else
    await fetch(page, {
      method: "POST",
      body: new URLSearchParams({ card: "4242 4242 4242 4242", ...typed }),
      redirect: "manual",
    });
  await settledStripeEvents();
}

async function onlyCustomer(): Promise<Stripe.Customer> {
  const { data } = await stripe.customers.list();
  const [customer, ...others] = data;
  if (!customer || others.length > 0) throw new Error("Stripe has not one customer");
  return customer;
}

async function newestInvoice(): Promise<Stripe.Invoice> {
  const [invoice] = (await stripe.invoices.list()).data;
  if (!invoice) throw new Error("Stripe has no invoice");
  return invoice;
}

test("what is given before the first purchase is on its invoice: company, address, purchase order, VAT id, e-mail", async () => {
  const visitor = await signedIn(email);
  const saved = await visitor.post(billing, given);
  expect(saved.headers.get("location")).toBe(`${billing}?notice=saved`);
  await buy(visitor);
  expect(await newestInvoice()).toMatchObject({
    customer_email: "accounts@okapi.example",
    customer_name: "Okapi Ltd",
    customer_address: { line1: "Street 1", city: "Berlin", postal_code: "10115", country: "DE" },
    custom_fields: [{ name: "Purchase order", value: "PO-4711" }],
    customer_tax_ids: [{ type: "eu_vat", value: "DE123456789" }],
  });
  const page = await textAt(visitor, billing);
  expect(page).toContain(
    "Okapi Ltd · accounts@okapi.example · Street 1, Berlin · purchase order PO-4711 · DE123456789",
  );
});

test("the address for invoices stays when webhooks come, and an empty one is the owner's again", async () => {
  const visitor = await signedIn(email);
  await buy(visitor);
  const { id: customer } = await onlyCustomer();
  await visitor.post(billing, { ...given, customer });
  await settledStripeEvents();
  const [subscription] = (await stripe.subscriptions.list()).data;
  await stripeControl(`subscriptions/${subscription?.id}/renew`);
  await settledStripeEvents();
  expect((await newestInvoice()).customer_email).toBe("accounts@okapi.example");
  const shown = JSON.stringify({ email: "accounts@okapi.example" });
  await visitor.post(billing, { intent: "details", customer, shown, email: "" });
  await settledStripeEvents();
  expect((await onlyCustomer()).email).toBe(email);
});

test("what is wrong is said at its field, what was typed stays, and nothing is saved", async () => {
  const visitor = await signedIn(email);
  await buy(visitor);
  const { id: customer } = await onlyCustomer();
  const refused = async (fields: Record<string, string>) => {
    const answer = await visitor.post(billing, { ...given, customer, ...fields });
    expect(answer.status).toBe(400);
    return answer.text();
  };
  const html = await refused({ email: "accounts@", line1: "" });
  expect(textOfHtml(html)).toContain("Nothing was saved yet.");
  expect(textOfHtml(html)).toContain("Enter an e-mail address, such as accounts@example.com.");
  expect(textOfHtml(html)).toContain("Enter the street and number.");
  expect(html).toContain('value="PO-4711"');
  const byStripe = await refused({ taxId: "DE1" });
  expect(textOfHtml(byStripe)).toContain("Stripe does not take this for European Union: VAT.");
  expect(byStripe).toContain('value="DE1"');
  expect(await onlyCustomer()).toMatchObject({ email, name: null, address: null });
});

test("a tax id can be removed and is never there twice, and what the operator set stays", async () => {
  const visitor = await signedIn(email);
  await buy(visitor);
  const { id: customer } = await onlyCustomer();
  await stripe.customers.update(customer, {
    email: "set@stripe.example",
    invoice_settings: { custom_fields: [{ name: "Supplier", value: "81" }] },
  });
  // The page was loaded before the operator's change, and its address was not touched since.
  const shown = JSON.stringify({ email });
  const form = { ...given, customer, shown, email };
  await visitor.post(billing, form);
  await visitor.post(billing, form);
  const taxIds = async () => (await stripe.customers.listTaxIds(customer)).data;
  const [taxId, ...others] = await taxIds();
  expect(others).toEqual([]);
  expect(await onlyCustomer()).toMatchObject({
    email: "set@stripe.example",
    name: "Okapi Ltd",
    invoice_settings: {
      custom_fields: [
        { name: "Purchase order", value: "PO-4711" },
        { name: "Supplier", value: "81" },
      ],
    },
  });
  await visitor.post(billing, {
    ...form,
    taxIdType: "",
    taxId: "",
    [`remove-${taxId?.id}`]: "yes",
  });
  expect(await taxIds()).toEqual([]);
});

test("a customer of somebody else is not changed", async () => {
  const foreign = await stripe.customers.create({ email: "other@example.com" });
  const visitor = await signedIn(email);
  const answer = await visitor.post(billing, { ...given, customer: foreign.id });
  expect(answer.status).toBe(404);
  expect(await stripe.customers.retrieve(foreign.id)).toMatchObject({ name: null });
});

test("company and VAT id that are typed at the checkout are on the first invoice, the purchase order on the next", async () => {
  const visitor = await signedIn(email);
  await buy(visitor, {
    business_name: "Okapi Ltd",
    tax_id: "DE123456789",
    custom_purchaseorder: "PO-4711",
  });
  expect(await newestInvoice()).toMatchObject({
    customer_name: "Okapi Ltd",
    customer_tax_ids: [{ type: "eu_vat", value: "DE123456789" }],
    custom_fields: null,
  });
  const [subscription] = (await stripe.subscriptions.list()).data;
  await stripeControl(`subscriptions/${subscription?.id}/renew`);
  await settledStripeEvents();
  const order = [{ name: "Purchase order", value: "PO-4711" }];
  expect((await newestInvoice()).custom_fields).toEqual(order);

  // Changed afterwards, it is not put back by whoever looks at the success page again.
  const { id: customer } = await onlyCustomer();
  await stripe.customers.update(customer, { invoice_settings: { custom_fields: "" } });
  const [session] = (await stripe.checkout.sessions.list()).data;
  await visitor.request(`/success?session_id=${session?.id}`);
  expect((await onlyCustomer()).invoice_settings.custom_fields).toBeNull();
});
