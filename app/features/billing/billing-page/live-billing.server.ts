import Stripe from "stripe";
import type { Configuration } from "~/platform/env/configuration.server";
import { dayOf, fromSeconds } from "~/ui/dates";
import { detailsExpanded, detailsOf } from "../invoice-details/invoice-details.server";
import { defaultMethodOf, methodColumns } from "../prices/payment-methods";
import { exactAmount, type PaymentMethod } from "../prices/words";
import { isMissing } from "../stripe/stripe.server";
import { pauseOf } from "../subscriptions/pause.server";
import type { LiveBilling, NextPayment } from "./billing-page";
import { duePayments } from "./due-payments.server";
import { invoiceLine, returnedCharges } from "./invoice-lines.server";

const invoicesAtOnce = 12;

/** With the ids of the subscriptions that run: our records may lack one whose webhook was lost. */
type LiveAnswer = LiveBilling & { running: string[] };

type BillingQuery = {
  customer: string;
  /** The names of our plans by the ids of their subscriptions, from our database. */
  names: ReadonlyMap<string, string>;
  /** The id of an invoice: the list begins with the next older one. Undefined for the newest invoices. */
  after: string | undefined;
};

/**
 * Reads from Stripe what the billing page shows of one customer: payment method, credit, due and next payments,
 * and a dozen invoices. Undefined when Stripe does not know the customer. Throws when Stripe does not answer.
 */
export async function readLiveBilling(
  stripe: Stripe,
  configuration: Configuration,
  { customer, names, after }: BillingQuery,
): Promise<LiveAnswer | undefined> {
  const expand = ["invoice_settings.default_payment_method", detailsExpanded];
  const parts = Promise.all([
    stripe.customers.retrieve(customer, { expand }),
    stripe.subscriptions.list({ customer, limit: 20, expand: ["data.default_payment_method"] }),
    invoicesAfter(stripe, customer, after),
    stripe.charges.list({ customer, limit: 100 }),
  ]);
  const read = await parts.catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (!read || read[0].deleted) return undefined;
  const [payer, subscriptions, invoices, charges] = read;
  const returned = returnedCharges(await withoutWonDisputes(stripe, charges.data));
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
    details: detailsOf(payer),
    invoices: invoices.data.flatMap((invoice) => invoiceLine(invoice, returned)),
    isOlder: invoices.isOlder,
    older: invoices.has_more ? last?.id : undefined,
    running: subscriptions.data.map(({ id }) => id),
  };
}

/**
 * At Stripe a charge stays disputed after its dispute was won. Where the disputes cannot be read, as with a key without the
 * right to, it is said to be.
 */
function withoutWonDisputes(stripe: Stripe, charges: Stripe.Charge[]): Promise<Stripe.Charge[]> {
  return Promise.all(
    charges.map(async (each) => {
      if (!each.disputed) return each;
      const { data } = await stripe.disputes
        .list({ charge: each.id })
        .catch(() => ({ data: [] as Stripe.Dispute[] }));
      const isWon =
        data.length > 0 && data.every(({ status }) => /^(won|warning_closed)$/.test(status));
      return { ...each, disputed: !isWon };
    }),
  );
}

/** The invoices that are older than `after`. An id that Stripe does not know gives the newest invoices. */
async function invoicesAfter(stripe: Stripe, customer: string, after: string | undefined) {
  const list = (part: { starting_after?: string }) =>
    stripe.invoices.list({
      customer,
      limit: invoicesAtOnce,
      expand: ["data.payments"],
      ...part,
    });
  if (after !== undefined) {
    try {
      return { ...(await list({ starting_after: after })), isOlder: true };
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    }
  }
  return { ...(await list({})), isOlder: false };
}

/** The payment method of the next renewal: that of a plan, or else the customer's. */
function methodOf(payer: Stripe.Customer, plans: readonly Stripe.Subscription[]): PaymentMethod {
  const paying = plans.find(({ default_payment_method }) => default_payment_method);
  return methodColumns(paying?.default_payment_method ?? defaultMethodOf(payer));
}

/** The amount and day of a plan's next invoice, from Stripe's preview of it. Empty for what is not our plan. */
async function nextPayment(
  stripe: Stripe,
  subscription: Stripe.Subscription,
  names: ReadonlyMap<string, string>,
): Promise<NextPayment[]> {
  const plan = names.get(subscription.id);
  const { status, schedule } = subscription;
  if (!plan || (status !== "active" && status !== "trialing")) return [];
  const ends = subscription.cancel_at ?? null;
  const pause = ends === null && pauseOf(subscription);
  if (pause) {
    const day = dayOf(fromSeconds(pause.until));
    return [{ plan, amount: undefined, words: `nothing until ${day}, as it is paused.` }];
  }
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
    // Stripe refuses a preview for a plan that ends, because nothing more is charged for it.
    const words =
      ends === null
        ? "no payment is planned."
        : `nothing, as it ends on ${dayOf(fromSeconds(ends))}.`;
    return [{ plan, amount: undefined, words }];
  }
}
