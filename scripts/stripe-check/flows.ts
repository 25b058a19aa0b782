import type Stripe from "stripe";
import { expectedPrices } from "../stripe-setup/expected.ts";
import type { Flow } from "./flow.ts";
import { invoiceFlows } from "./invoice-flows.ts";
import { startSession } from "./refusals/checkout.ts";
import { downwardPhases } from "./refusals/schedules.ts";
import type { Sandbox, Subscribed } from "./sandbox.ts";

const yearly = ({ item }: Subscribed, { prices }: Sandbox) => ({
  items: [{ id: item, price: prices.pro, quantity: 1 }],
  proration_behavior: "always_invoice" as const,
  billing_cycle_anchor: { type: "now" as const },
});

/** To the day, since Stripe counts to the second. */
const dayOf = (seconds: number) => new Date(seconds * 1_000).toISOString().slice(0, 10);

function yearAfter(seconds: number): string {
  const day = new Date(seconds * 1_000);
  day.setUTCFullYear(day.getUTCFullYear() + 1);
  return day.toISOString().slice(0, 10);
}

export const flows: readonly Flow[] = [
  {
    name: "products and prices, as stripe:setup makes them",
    async run(sandbox, compare) {
      const { products, prices } = sandbox.stripe;
      for (const { currency, unitAmount, interval, product: wanted } of expectedPrices) {
        const product = await products.create({ name: sandbox.name(), metadata: wanted.metadata });
        sandbox.made(product.id, (id) => products.update(id, { active: false }));
        const lookup_key = sandbox.name();
        const price = await prices.create({
          product: product.id,
          currency,
          unit_amount: unitAmount,
          recurring: { interval },
          lookup_key,
        });
        sandbox.made(price.id, (id) => prices.update(id, { active: false }));
        const { data } = await prices.list({ lookup_keys: [lookup_key] });
        compare("The price under its lookup key", data[0]?.id, price.id);
        compare("Its amount", price.unit_amount, unitAmount);
        compare("Its interval", price.recurring?.interval, interval);
        compare("The plan of its product", product.metadata, wanted.metadata);
      }
    },
  },
  {
    name: "a Checkout Session, made and expired",
    async run(sandbox, compare) {
      const session = await startSession(sandbox, {
        allowed_payment_method_types: ["card"],
        currency: "usd",
        adaptive_pricing: { enabled: false },
        allow_promotion_codes: true,
        client_reference_id: sandbox.name(),
        customer: await sandbox.customer(),
        expand: ["line_items"],
      });
      compare("Its status", session.status, "open");
      compare("Its amount", session.amount_subtotal, 1_000);
      compare("Its currency", session.currency, "usd");
      compare("Adaptive pricing", session.adaptive_pricing?.enabled ?? false, false);
      compare("Its items", session.line_items?.data.length, 1);
      const { metadata } = await sandbox.stripe.checkout.sessions.update(session.id, {
        metadata: { noted: "once" },
      });
      compare("What was noted on it", metadata, { noted: "once" });
      const { status } = await sandbox.stripe.checkout.sessions.expire(session.id);
      compare("Its status after the end", status, "expired");
    },
  },
  {
    name: "a subscription by a test card",
    async run(sandbox, compare) {
      const { id, invoice, start, end } = await sandbox.subscription();
      const subscription = await sandbox.stripe.subscriptions.retrieve(id);
      compare("Its status", subscription.status, "active");
      compare("Its billing mode", subscription.billing_mode.type, "flexible");
      compare("Whether its item has a period", end > start, true);
      const paid = await sandbox.stripe.invoices.retrieve(invoice);
      compare("Its invoice", [paid.status, paid.amount_paid], ["paid", 1_000]);
    },
  },
  {
    name: "an upgrade from a month to a year, as previewed",
    async run(sandbox, compare) {
      const { invoices, subscriptions } = sandbox.stripe;
      const subscribed = await sandbox.subscription();
      const { id: subscription, customer } = subscribed;
      const preview = await invoices.createPreview({
        customer,
        subscription,
        subscription_details: yearly(subscribed, sandbox),
      });
      const changed = await subscriptions.update(subscription, {
        ...yearly(subscribed, sandbox),
        payment_behavior: "pending_if_incomplete",
        expand: ["latest_invoice"],
      });
      const invoice = changed.latest_invoice as Stripe.Invoice | null;
      compare("What was charged", invoice?.amount_paid, preview.amount_due);
      compare("What waits", changed.pending_update, null);
      const [item] = changed.items.data;
      compare("Its price", item?.price.id, sandbox.prices.pro);
      compare(
        "The day of its renewal",
        dayOf(item?.current_period_end ?? 0),
        yearAfter(item?.current_period_start ?? 0),
      );
    },
  },
  {
    name: "an upgrade within a period, as previewed for a moment",
    async run(sandbox, compare) {
      const { invoices, subscriptions } = sandbox.stripe;
      const { id: subscription, customer, item, start, end } = await sandbox.subscription();
      const change = {
        items: [{ id: item, price: sandbox.prices.dearer, quantity: 1 }],
        proration_behavior: "always_invoice" as const,
        proration_date: start,
      };
      const preview = await invoices.createPreview({
        ...{ customer, subscription, subscription_details: change },
      });
      const changed = await subscriptions.update(subscription, {
        ...{ ...change, payment_behavior: "pending_if_incomplete", expand: ["latest_invoice"] },
      });
      const invoice = changed.latest_invoice as Stripe.Invoice | null;
      compare("What was charged", invoice?.amount_paid, preview.amount_due);
      compare("The difference of the prices", preview.amount_due, 1_000);
      compare("Its end", changed.items.data[0]?.current_period_end, end);
    },
  },
  {
    name: "an upgrade whose card is declined",
    async run(sandbox, compare) {
      const { invoices, subscriptions } = sandbox.stripe;
      const subscribed = await sandbox.subscription();
      await sandbox.card(subscribed.customer, "pm_card_chargeCustomerFail");
      const pending = await subscriptions.update(subscribed.id, {
        ...yearly(subscribed, sandbox),
        payment_behavior: "pending_if_incomplete",
      });
      compare("Whether it waits", pending.pending_update !== null, true);
      compare("Its price meanwhile", pending.items.data[0]?.price.id, sandbox.prices.basic);
      const open = await invoices.retrieve(String(pending.latest_invoice), {
        expand: ["payments.data.payment.payment_intent"],
      });
      compare("Its invoice", open.status, "open");
      await invoices.voidInvoice(open.id);
      const after = await subscriptions.retrieve(subscribed.id);
      compare("What waits after its invoice is void", after.pending_update, null);
      compare("Its status then", after.status, "active");
    },
  },
  {
    name: "a downgrade by a schedule, planned and taken back",
    async run(sandbox, compare) {
      const { subscriptionSchedules, subscriptions } = sandbox.stripe;
      const subscribed = await sandbox.subscription();
      const card = await sandbox.card(subscribed.customer);
      await subscriptions.update(subscribed.id, { default_payment_method: card });
      const schedule = await subscriptionSchedules.create({ from_subscription: subscribed.id });
      // The site counts on this: the subscription's card in the settings would come back at the downgrade.
      compare("The card of a new schedule", schedule.default_settings.default_payment_method, null);
      compare("The card of its first phase", schedule.phases[0]?.default_payment_method, card);
      const { current, next } = downwardPhases(subscribed, sandbox);
      const planned = await subscriptionSchedules.update(schedule.id, {
        end_behavior: "release",
        metadata: { made_by: "plan-change" },
        proration_behavior: "none",
        phases: [{ ...current, start_date: schedule.current_phase?.start_date ?? 0 }, next].map(
          (phase) => ({ ...phase, proration_behavior: "none" as const }),
        ),
      });
      compare("Its phases", planned.phases.length, 2);
      compare("The day of the change", planned.phases[1]?.start_date, subscribed.end);
      await subscriptionSchedules.release(schedule.id);
      const after = await subscriptions.retrieve(subscribed.id);
      compare("The schedule after it is released", after.schedule, null);
      compare("The price then", after.items.data[0]?.price.id, sandbox.prices.basic);
    },
  },
  {
    name: "a plan under a schedule, ended at once",
    async run(sandbox, compare) {
      const { subscriptionSchedules, subscriptions } = sandbox.stripe;
      const { id } = await sandbox.subscription();
      const schedule = await subscriptionSchedules.create({ from_subscription: id });
      compare("Its status", (await subscriptions.cancel(id)).status, "canceled");
      const { status } = await subscriptionSchedules.retrieve(schedule.id);
      compare("The schedule's", status, "canceled");
    },
  },
  {
    name: "a plan cancelled at its end, and kept",
    async run(sandbox, compare) {
      const { subscriptions } = sandbox.stripe;
      const { id, end } = await sandbox.subscription();
      const cancelled = await subscriptions.update(id, {
        cancel_at_period_end: true,
        cancellation_details: { feedback: "too_expensive" },
      });
      compare("Its end", cancelled.cancel_at, end);
      const resumed = await subscriptions.update(id, { cancel_at_period_end: false });
      compare("Its end after it is kept", resumed.cancel_at, null);
      const over = await subscriptions.cancel(id);
      compare("Its status after it is ended", over.status, "canceled");
    },
  },
  {
    name: "a plan paused, and running again at once",
    async run(sandbox, compare) {
      const { subscriptions } = sandbox.stripe;
      const { id, end } = await sandbox.subscription();
      const paused = await subscriptions.update(id, {
        pause_collection: { behavior: "void", resumes_at: end + 86_400 },
        metadata: { paused_from: String(end) },
      });
      compare("Its status while it is paused", paused.status, "active");
      compare("Its pause", paused.pause_collection, { behavior: "void", resumes_at: end + 86_400 });
      const resumed = await subscriptions.update(id, {
        pause_collection: "",
        metadata: { paused_from: "" },
        billing_cycle_anchor: { type: "now" },
        proration_behavior: "none",
        expand: ["latest_invoice"],
      });
      const invoice = resumed.latest_invoice as Stripe.Invoice | null;
      compare("Its pause after that", resumed.pause_collection, null);
      compare("The new month", [invoice?.status, invoice?.amount_paid], ["paid", 1_000]);
    },
  },
  {
    name: "a refund, of a part and then of the rest",
    async run(sandbox, compare) {
      const { charges, refunds } = sandbox.stripe;
      const { customer, payment } = await sandbox.subscription();
      const part = await refunds.create({ payment_intent: payment, amount: 1 });
      const rest = await refunds.create({ payment_intent: payment });
      compare("The amounts", [part.amount, rest.amount], [1, 999]);
      compare("The states", [part.status, rest.status], ["succeeded", "succeeded"]);
      const { data } = await charges.list({ customer, limit: 100 });
      const found = data.map(({ amount, amount_refunded, refunded }) => [
        ...[amount, amount_refunded, refunded],
      ]);
      compare("The charge, as it is listed", found, [[1_000, 1_000, true]]);
    },
  },
  {
    name: "a session of the customer portal",
    async run(sandbox, compare) {
      const { configurations, sessions } = sandbox.stripe.billingPortal;
      const configuration = await configurations.create({
        features: { invoice_history: { enabled: true }, payment_method_update: { enabled: true } },
      });
      sandbox.made(configuration.id, (id) => configurations.update(id, { active: false }));
      const session = await sessions.create({
        customer: await sandbox.customer(),
        configuration: configuration.id,
        return_url: "https://example.com/dashboard/billing",
        flow_data: {
          type: "payment_method_update",
          after_completion: {
            type: "redirect",
            redirect: { return_url: "https://example.com/dashboard/billing" },
          },
        },
      });
      compare("Whether it has an address", URL.canParse(session.url), true);
    },
  },
  {
    name: "the list of webhook endpoints",
    async run(sandbox, compare) {
      const { data } = await sandbox.stripe.webhookEndpoints.list({ limit: 100 });
      compare("Endpoints of live mode", data.filter(({ livemode }) => livemode).length, 0);
    },
  },
  ...invoiceFlows,
];
