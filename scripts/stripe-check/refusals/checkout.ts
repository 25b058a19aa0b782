import type Stripe from "stripe";
import type { checkoutRules } from "../../../fakes/stripe/rules/checkout.ts";
import type { Sandbox } from "../sandbox.ts";
import type { Attempt } from "./attempt.ts";

type Params = Partial<Stripe.Checkout.SessionCreateParams>;

/** A session that Stripe takes, with these parameters changed. */
export async function startSession(
  { stripe, prices, made }: Sandbox,
  given: Params = {},
): Promise<Stripe.Checkout.Session> {
  const session = await stripe.checkout.sessions.create({
    mode: "subscription",
    line_items: [{ price: prices.basic, quantity: 1 }],
    success_url: "https://example.com/success?session_id={CHECKOUT_SESSION_ID}",
    cancel_url: "https://example.com/pricing",
    ...given,
  });
  return made(session, async ({ id }) => {
    const { status } = await stripe.checkout.sessions.retrieve(id);
    if (status === "open") await stripe.checkout.sessions.expire(id);
  });
}

function sessions(
  pair: (sandbox: Sandbox, customer: string) => [refused: Params, taken: Params],
): Attempt {
  return async (sandbox) => {
    const [refused, taken] = pair(sandbox, await sandbox.customer());
    return {
      refused: () => startSession(sandbox, refused),
      taken: () => startSession(sandbox, taken),
    };
  };
}

const textFields = (count: number, length = 10): Params => ({
  custom_fields: Array.from({ length: count }, (_, index) => ({
    key: `field${index}`,
    label: { type: "custom" as const, custom: "x".repeat(length) },
    type: "text" as const,
  })),
});

const lineOf = (price: string): Params => ({ line_items: [{ price, quantity: 1 }] });

/** `checkout-terms-without-page` and `portal-without-a-configuration` are settings of the account's dashboard. */
export const checkoutAttempts = {
  "checkout-with-customer-and-email": sessions((_, customer) => [
    { customer, customer_email: "check@example.com" },
    { customer },
  ]),
  "checkout-with-codes-and-discounts": async (sandbox) => {
    const { stripe, made } = sandbox;
    const { id } = await stripe.coupons.create({ percent_off: 20, duration: "once" });
    made(id, (each) => stripe.coupons.del(each));
    const discounts = [{ coupon: id }];
    return {
      refused: () => startSession(sandbox, { allow_promotion_codes: true, discounts }),
      taken: () => startSession(sandbox, { discounts }),
    };
  },
  "checkout-with-four-custom-fields": sessions(() => [textFields(4), textFields(3)]),
  "checkout-with-a-long-label": sessions(() => [textFields(1, 51), textFields(1, 50)]),
  "checkout-with-invoice-creation": sessions(() => [{ invoice_creation: { enabled: true } }, {}]),
  "checkout-updates-no-customer": sessions((_, customer) => [
    { customer_update: { name: "auto" } },
    { customer, customer_update: { name: "auto" } },
  ]),
  "checkout-tax-without-address": sessions((_, customer) => [
    { customer, automatic_tax: { enabled: true } },
    { customer, automatic_tax: { enabled: true }, customer_update: { address: "auto" } },
  ]),
  "checkout-tax-id-without-name": sessions((_, customer) => [
    { customer, tax_id_collection: { enabled: true }, customer_update: { address: "auto" } },
    { customer, tax_id_collection: { enabled: true }, customer_update: { name: "auto" } },
  ]),
  "checkout-expires-too-soon-or-late": async (sandbox) => {
    // By Stripe's clock.
    const { created } = await startSession(sandbox);
    return {
      refused: () => startSession(sandbox, { expires_at: created + 60 }),
      taken: () => startSession(sandbox, { expires_at: created + 60 * 60 }),
    };
  },
  "checkout-of-an-archived-price": sessions(({ prices }) => [
    lineOf(prices.archived),
    lineOf(prices.dearer),
  ]),
  "checkout-of-an-archived-product": async (sandbox) => {
    const { stripe, made } = sandbox;
    const product = await stripe.products.create({ name: sandbox.name() });
    const price = await stripe.prices.create({
      product: product.id,
      currency: "usd",
      unit_amount: 1_000,
      recurring: { interval: "month" },
    });
    made(price.id, (id) => stripe.prices.update(id, { active: false }));
    await stripe.products.update(product.id, { active: false });
    return {
      refused: () => startSession(sandbox, lineOf(price.id)),
      taken: () => startSession(sandbox),
    };
  },
  "checkout-of-a-price-paid-once": sessions(({ prices }) => [
    lineOf(prices.once),
    lineOf(prices.basic),
  ]),
  "checkout-of-two-intervals": sessions(({ prices: { basic, dearer, pro } }) => [
    { line_items: [basic, pro].map((price) => ({ price, quantity: 1 })) },
    { line_items: [basic, dearer].map((price) => ({ price, quantity: 1 })) },
  ]),
  "checkout-in-another-currency": sessions(() => [{ currency: "eur" }, { currency: "usd" }]),
  "checkout-in-a-second-currency": async (sandbox) => {
    const { customer } = await sandbox.subscription();
    return {
      refused: () => startSession(sandbox, { customer, ...lineOf(sandbox.prices.euro) }),
      taken: () => startSession(sandbox, { customer }),
    };
  },
  "checkout-of-a-deleted-customer": async (sandbox) => {
    const [gone, customer] = [await sandbox.customer(), await sandbox.customer()];
    await sandbox.stripe.customers.del(gone);
    return {
      refused: () => startSession(sandbox, { customer: gone }),
      taken: () => startSession(sandbox, { customer }),
    };
  },
  "checkout-with-types-of-an-older-version": sessions(() => {
    const older = { payment_method_types: ["card"] };
    return [older as Params, { allowed_payment_method_types: ["card"] }];
  }),
  "expiry-of-a-closed-checkout": async (sandbox) => {
    const { sessions: all } = sandbox.stripe.checkout;
    const [over, open] = [await startSession(sandbox), await startSession(sandbox)];
    await all.expire(over.id);
    return { refused: () => all.expire(over.id), taken: () => all.expire(open.id) };
  },
  "portal-flow-that-is-off": async (sandbox) => {
    const { configurations, sessions: all } = sandbox.stripe.billingPortal;
    const customer = await sandbox.customer();
    const { id: configuration } = await configurations.create({
      features: {
        invoice_history: { enabled: true },
        payment_method_update: { enabled: false },
      },
    });
    sandbox.made(configuration, (id) => configurations.update(id, { active: false }));
    const open = () =>
      all.create({
        customer,
        configuration,
        return_url: "https://example.com/dashboard",
        flow_data: { type: "payment_method_update" },
      });
    return {
      refused: open,
      taken: async () => {
        await configurations.update(configuration, {
          features: { payment_method_update: { enabled: true } },
        });
        await open();
      },
    };
  },
} satisfies Partial<Record<keyof typeof checkoutRules, Attempt>>;
