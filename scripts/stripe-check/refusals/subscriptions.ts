import type Stripe from "stripe";
import type { subscriptionRules } from "../../../fakes/stripe/rules/subscriptions.ts";
import type { Sandbox, Subscribed } from "../sandbox.ts";
import type { Attempt } from "./attempt.ts";

const day = 24 * 60 * 60;
const now = { type: "now" } as const;

/** A pair of updates of one subscription. */
function updates(
  pair: (
    subscribed: Subscribed,
    sandbox: Sandbox,
  ) => [refused: Stripe.SubscriptionUpdateParams, taken: Stripe.SubscriptionUpdateParams],
): Attempt {
  return async (sandbox) => {
    const subscribed = await sandbox.subscription();
    const [refused, taken] = pair(subscribed, sandbox);
    const update = (params: Stripe.SubscriptionUpdateParams) =>
      sandbox.stripe.subscriptions.update(subscribed.id, params);
    return { refused: () => update(refused), taken: () => update(taken) };
  };
}

/** The same pair for the preview of an update. */
function previews(
  pair: (
    subscribed: Subscribed,
    sandbox: Sandbox,
  ) => [
    refused: Stripe.InvoiceCreatePreviewParams.SubscriptionDetails,
    taken: Stripe.InvoiceCreatePreviewParams.SubscriptionDetails,
  ],
): Attempt {
  return async (sandbox) => {
    const subscribed = await sandbox.subscription();
    const [refused, taken] = pair(subscribed, sandbox);
    const preview = (subscription_details: typeof refused) =>
      sandbox.stripe.invoices.createPreview({ subscription: subscribed.id, subscription_details });
    return { refused: () => preview(refused), taken: () => preview(taken) };
  };
}

const yearly = ({ item }: Subscribed, { prices }: Sandbox) => ({
  items: [{ id: item, price: prices.pro }],
  proration_behavior: "always_invoice" as const,
  billing_cycle_anchor: now,
});
const dearer = ({ item }: Subscribed, { prices }: Sandbox) => ({
  items: [{ id: item, price: prices.dearer }],
  proration_behavior: "always_invoice" as const,
});
const unprorated = (subscribed: Subscribed, sandbox: Sandbox) => ({
  ...dearer(subscribed, sandbox),
  proration_behavior: "none" as const,
});
/** To this price, instead of one that is refused. */
const priced = (of: (prices: Sandbox["prices"]) => string) =>
  updates(({ item }, { prices }) => [
    { items: [{ id: item, price: of(prices) }], proration_behavior: "none" },
    { items: [{ id: item, price: prices.dearer }], proration_behavior: "none" },
  ]);

/** A pair of subscriptions by invoice, of customers with and without an address. */
const invoiced =
  (refused: Partial<Stripe.SubscriptionCreateParams>, hasAddress = true): Attempt =>
  async (sandbox) => {
    const { stripe, prices, made } = sandbox;
    const customer = await sandbox.customer();
    const without = await stripe.customers.create({ name: "Check" });
    made(without.id, (id) => stripe.customers.del(id));
    const items = [{ price: prices.basic }];
    const order = { collection_method: "send_invoice", days_until_due: 14 } as const;
    return {
      refused: () =>
        stripe.subscriptions.create({
          customer: hasAddress ? customer : without.id,
          items,
          ...refused,
        }),
      taken: () => stripe.subscriptions.create({ customer, items, ...order }),
    };
  };

export const subscriptionAttempts = {
  "invoice-without-an-address": invoiced(
    { collection_method: "send_invoice", days_until_due: 14 },
    false,
  ),
  "invoice-without-a-day": invoiced({ collection_method: "send_invoice" }),
  "day-without-an-invoice": invoiced({ days_until_due: 14 }),
  "tax-without-a-location": async (sandbox) => {
    const { stripe, prices } = sandbox;
    const customer = await sandbox.customer();
    await sandbox.card(customer);
    const place = (postal_code: string) =>
      stripe.customers.update(customer, { address: { country: "US", state: "OR", postal_code } });
    const subscribe = () =>
      stripe.subscriptions.create({
        customer,
        items: [{ price: prices.basic }],
        automatic_tax: { enabled: true },
      });
    await place("");
    return {
      refused: subscribe,
      taken: async () => {
        await place("97712");
        await subscribe();
      },
    };
  },
  "anchor-now-with-proration-date": updates((subscribed, sandbox) => [
    { ...yearly(subscribed, sandbox), proration_date: subscribed.start },
    yearly(subscribed, sandbox),
  ]),
  "preview-anchor-now-with-proration-date": previews((subscribed, sandbox) => [
    { ...yearly(subscribed, sandbox), proration_date: subscribed.start },
    yearly(subscribed, sandbox),
  ]),
  "proration-date-without-proration": updates((subscribed, sandbox) => [
    { ...unprorated(subscribed, sandbox), proration_date: subscribed.start },
    unprorated(subscribed, sandbox),
  ]),
  "preview-proration-date-without-proration": previews((subscribed, sandbox) => [
    { ...unprorated(subscribed, sandbox), proration_date: subscribed.start },
    unprorated(subscribed, sandbox),
  ]),
  "proration-date-outside-period": updates((subscribed, sandbox) => [
    { ...dearer(subscribed, sandbox), proration_date: subscribed.start - day },
    { ...dearer(subscribed, sandbox), proration_date: subscribed.start },
  ]),
  "preview-proration-date-outside-period": previews((subscribed, sandbox) => [
    { ...dearer(subscribed, sandbox), proration_date: subscribed.start - day },
    { ...dearer(subscribed, sandbox), proration_date: subscribed.start },
  ]),
  "preview-of-subscription-and-schedule": async (sandbox) => {
    const { stripe } = sandbox;
    const { id: subscription } = await sandbox.subscription();
    const { id: schedule } = await stripe.subscriptionSchedules.create({
      from_subscription: subscription,
    });
    return {
      refused: () => stripe.invoices.createPreview({ subscription, schedule }),
      taken: () => stripe.invoices.createPreview({ schedule }),
    };
  },
  "preview-of-another-customer": async (sandbox) => {
    const { stripe } = sandbox;
    const { id: subscription, customer } = await sandbox.subscription();
    const other = await sandbox.customer();
    return {
      refused: () => stripe.invoices.createPreview({ subscription, customer: other }),
      taken: () => stripe.invoices.createPreview({ subscription, customer }),
    };
  },
  "preview-of-nothing": async (sandbox) => {
    const { stripe } = sandbox;
    const { id: subscription } = await sandbox.subscription();
    await stripe.subscriptions.update(subscription, { cancel_at_period_end: true });
    return {
      refused: () => stripe.invoices.createPreview({ subscription }),
      taken: () =>
        stripe.invoices.createPreview({
          subscription,
          subscription_details: { cancel_at_period_end: false },
        }),
    };
  },
  "ends-in-two-ways": updates(({ end }) => [
    { cancel_at: end - day, cancel_at_period_end: true },
    { cancel_at_period_end: true },
  ]),
  "ends-in-the-past": updates(({ start, end }) => [
    { cancel_at: start - day },
    { cancel_at: end - day },
  ]),
  "pause-ends-in-the-past": updates(({ start, end }) => [
    { pause_collection: { behavior: "void", resumes_at: start - day } },
    { pause_collection: { behavior: "void", resumes_at: end + day } },
  ]),
  "end-under-a-schedule": async (sandbox) => {
    const { stripe } = sandbox;
    const { id } = await sandbox.subscription();
    const schedule = await stripe.subscriptionSchedules.create({ from_subscription: id });
    const cancel = () => stripe.subscriptions.update(id, { cancel_at_period_end: true });
    return {
      refused: cancel,
      taken: async () => {
        await stripe.subscriptionSchedules.release(schedule.id);
        await cancel();
      },
    };
  },
  "change-after-the-end": async (sandbox) => {
    const { subscriptions } = sandbox.stripe;
    const { id } = await sandbox.subscription();
    await subscriptions.cancel(id);
    return {
      refused: () => subscriptions.update(id, { description: "Another" }),
      taken: () => subscriptions.update(id, { metadata: { note: "another" } }),
    };
  },
  "cancel-after-the-end": async (sandbox) => {
    const { subscriptions } = sandbox.stripe;
    const [over, running] = [await sandbox.subscription(), await sandbox.subscription()];
    await subscriptions.cancel(over.id);
    return {
      refused: () => subscriptions.cancel(over.id),
      taken: () => subscriptions.cancel(running.id),
    };
  },
  "pending-update-with-other-parameters": updates((subscribed, sandbox) => {
    const change = {
      ...dearer(subscribed, sandbox),
      payment_behavior: "pending_if_incomplete",
    } as const;
    return [{ ...change, description: "Another" }, change];
  }),
  "change-to-a-price-paid-once": priced(({ once }) => once),
  "change-to-an-archived-price": priced(({ archived }) => archived),
  "change-to-another-currency": priced(({ euro }) => euro),
  "second-item-of-a-price": updates((_, { prices }) => [
    { items: [{ price: prices.basic }], proration_behavior: "none" },
    { items: [{ price: prices.dearer }], proration_behavior: "none" },
  ]),
  "last-item-removed": updates(({ item }, { prices }) => [
    { items: [{ id: item, deleted: true }], proration_behavior: "none" },
    { items: [{ id: item, deleted: true }, { price: prices.dearer }], proration_behavior: "none" },
  ]),
} satisfies Record<keyof typeof subscriptionRules, Attempt>;
