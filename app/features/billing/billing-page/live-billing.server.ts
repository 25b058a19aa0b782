import Stripe from "stripe";
import type { Configuration } from "~/platform/env/configuration.server";
import { dayOf, fromSeconds } from "~/ui/dates";
import { exactAmount, type PaymentMethod } from "../prices/words";
import { isMissing } from "../stripe/stripe.server";
import { cardOf } from "../subscriptions/subscription-record.server";
import type { LiveBilling, NextPayment } from "./billing-page";
import { duePayments } from "./due-payments.server";
import { invoiceLine } from "./invoice-lines.server";

const invoicesAtOnce = 12;

type Wanted = {
  customer: string;
  /** The names of the plans by subscription, as our record has them. */
  names: ReadonlyMap<string, string>;
  /** The invoice after which the list begins: an older part of it. */
  after: string | undefined;
};

/**
 * Asks Stripe about one customer: card, credit, what is due, what comes, and a part of the invoices.
 * Undefined for a customer that Stripe does not have (any more). Throws when Stripe does not answer.
 */
export async function readLiveBilling(
  stripe: Stripe,
  configuration: Configuration,
  { customer, names, after }: Wanted,
): Promise<LiveBilling | undefined> {
  const expand = ["invoice_settings.default_payment_method"];
  const parts = Promise.all([
    stripe.customers.retrieve(customer, { expand }),
    stripe.subscriptions.list({ customer, limit: 20, expand: ["data.default_payment_method"] }),
    invoicesAfter(stripe, customer, after),
  ]);
  const read = await parts.catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (!read || read[0].deleted) return undefined;
  const [payer, subscriptions, invoices] = read;
  const [due, next] = await Promise.all([
    duePayments(stripe, configuration, customer, subscriptions.data),
    Promise.all(subscriptions.data.map((each) => nextPayment(stripe, each, names))),
  ]);
  const last = invoices.data.at(-1);
  return {
    method: methodOf(
      payer,
      subscriptions.data.filter(({ id }) => names.has(id)),
    ),
    credit: payer.balance < 0 ? exactAmount(-payer.balance, payer.currency ?? "usd") : undefined,
    due,
    next: next.flat(),
    invoices: invoices.data.flatMap(invoiceLine),
    isOlder: invoices.isOlder,
    older: invoices.has_more ? last?.id : undefined,
  };
}

/** An id that the list does not know, as a made-up one, begins the list anew. */
async function invoicesAfter(stripe: Stripe, customer: string, after: string | undefined) {
  const list = (part: { starting_after?: string }) =>
    stripe.invoices.list({ customer, limit: invoicesAtOnce, ...part });
  if (after !== undefined) {
    try {
      return { ...(await list({ starting_after: after })), isOlder: true };
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    }
  }
  return { ...(await list({})), isOlder: false };
}

/** What the next renewal is charged to: a plan's own card, or else the customer's. */
function methodOf(payer: Stripe.Customer, plans: readonly Stripe.Subscription[]): PaymentMethod {
  const own = plans.find(({ default_payment_method }) => default_payment_method);
  return cardOf(own?.default_payment_method ?? payer.invoice_settings.default_payment_method);
}

/** What the next invoice of a plan will be, to the cent. */
async function nextPayment(
  stripe: Stripe,
  subscription: Stripe.Subscription,
  names: ReadonlyMap<string, string>,
): Promise<NextPayment[]> {
  const plan = names.get(subscription.id);
  const { status, schedule } = subscription;
  if (!plan || (status !== "active" && status !== "trialing")) return [];
  const ends = subscription.cancel_at ?? null;
  try {
    const { total, amount_due, currency, next_payment_attempt, created } =
      await stripe.invoices.createPreview(
        schedule
          ? { schedule: typeof schedule === "string" ? schedule : schedule.id }
          : { subscription: subscription.id },
      );
    const day = dayOf(fromSeconds(next_payment_attempt ?? created));
    const credit = Math.min(total, total - amount_due);
    const words =
      credit > 0 ? `on ${day}, after ${exactAmount(credit, currency)} from credit` : `on ${day}`;
    return [{ plan, amount: exactAmount(Math.max(0, amount_due), currency), words }];
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    // Nothing more is charged for a plan that ends.
    const words =
      ends === null ? "No payment is planned." : `None: it ends on ${dayOf(fromSeconds(ends))}.`;
    return [{ plan, amount: undefined, words }];
  }
}
