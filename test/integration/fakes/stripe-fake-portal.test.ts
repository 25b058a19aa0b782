import type Stripe from "stripe";
import { expect, test } from "vitest";
import {
  prices,
  refusal,
  startFake,
  submit,
  subscribe,
} from "../../support/billing/stripe-fake.ts";

const back = "http://localhost:8787/dashboard/billing";
const redirect = { type: "redirect", redirect: { return_url: back } } as const;

async function visit() {
  const fake = await startFake();
  const bought = await subscribe(fake);
  const open = (flow_data?: Stripe.BillingPortal.SessionCreateParams.FlowData) =>
    fake.stripe.billingPortal.sessions.create({
      customer: bought.customer,
      return_url: back,
      ...(flow_data ? { flow_data } : {}),
    });
  return { fake, ...bought, open };
}

test("a link to change the card shows that alone, says what is wrong, and leads back", async () => {
  const { fake, open, customer } = await visit();
  await using _ = fake;
  const { url } = await open({ type: "payment_method_update", after_completion: redirect });
  const shown = await (await fetch(url)).text();
  expect(shown).toContain("Visa ending in 4242");
  expect(shown).not.toContain("Cancel plan");
  const past = await submit(url, { intent: "card", card: "4242 4242 4242 4242", expires: "01/20" });
  expect(await past.text()).toContain("expiration date is in the past");
  const changed = await submit(url, {
    intent: "card",
    card: "5555 5555 5555 4444",
    expires: "03/41",
  });
  expect(changed.headers.get("location")).toBe(back);
  const { data } = await fake.stripe.customers.listPaymentMethods(customer);
  expect(data[0]?.card).toMatchObject({
    brand: "mastercard",
    last4: "4444",
    exp_month: 3,
    exp_year: 2041,
  });
});

test("a link to cancel, and one to confirm another plan, are for one's own plan and allowed features", async () => {
  const { fake, open, subscription } = await visit();
  await using _ = fake;
  const { stripe } = fake;
  const [item] = (await stripe.subscriptions.retrieve(subscription)).items.data;
  const confirm: Stripe.BillingPortal.SessionCreateParams.FlowData = {
    type: "subscription_update_confirm",
    after_completion: redirect,
    subscription_update_confirm: {
      subscription,
      items: [{ id: item?.id ?? "", price: prices.pro }],
    },
  };
  expect((await refusal(open(confirm))).message).toContain("subscription_update feature");
  const [configuration] = (await stripe.billingPortal.configurations.list()).data;
  const { product } = await stripe.prices.retrieve(prices.pro);
  await stripe.billingPortal.configurations.update(configuration?.id ?? "", {
    features: {
      subscription_update: {
        enabled: true,
        default_allowed_updates: ["price"],
        products: [{ product: String(product), prices: [prices.pro] }],
        proration_behavior: "always_invoice",
      },
    },
  });
  const change = await open(confirm);
  expect(await (await fetch(change.url)).text()).toContain("Change to Pro");
  await submit(change.url, { intent: "plan", subscription, price: prices.pro });
  expect((await stripe.subscriptions.retrieve(subscription)).items.data[0]?.price.id).toBe(
    prices.pro,
  );

  const cancel = await open({
    type: "subscription_cancel",
    subscription_cancel: { subscription },
    after_completion: {
      type: "hosted_confirmation",
      hosted_confirmation: { custom_message: "It ends with its period." },
    },
  });
  const done = await submit(cancel.url, { intent: "cancel", subscription });
  const end = await fetch(new URL(done.headers.get("location") ?? "", fake.url));
  expect(await end.text()).toContain("It ends with its period.");
  expect((await stripe.subscriptions.retrieve(subscription)).cancel_at_period_end).toBe(true);

  const stranger = await stripe.customers.create({ email: "bob@example.com" });
  const foreign = stripe.billingPortal.sessions.create({
    customer: stranger.id,
    flow_data: { type: "subscription_cancel", subscription_cancel: { subscription } },
  });
  expect((await refusal(foreign)).message).toContain("does not belong");
});

test("the portal keeps a name, an address and a tax id where it may, and never an email address", async () => {
  const { fake, open, customer } = await visit();
  await using _ = fake;
  const { url } = await open({ type: "customer_update" });
  await submit(url, {
    intent: "details",
    business_name: "Ann GmbH",
    country: "DE",
    line1: "Weg 1",
    city: "Berlin",
    postal_code: "10115",
    tax_id: "DE123456789",
    email: "other@example.com",
  });
  const stored = await fake.stripe.customers.retrieve(customer);
  expect(stored).toMatchObject({
    name: "Ann GmbH",
    address: { country: "DE", postal_code: "10115" },
    email: "ann@example.com",
  });
  const { data } = await fake.stripe.customers.listTaxIds(customer);
  expect(data).toMatchObject([{ type: "eu_vat", value: "DE123456789" }]);
});
