import type Stripe from "stripe";
import type { Configuration } from "~/platform/env/configuration.server";
import { dayOf, fromSeconds, momentOf } from "~/ui/dates";
import { planOfSubscription, readCatalogue } from "../prices/product-plans.server";
import { exactAmount, methodWords } from "../prices/words";
import { cardOf } from "../subscriptions/subscription-record.server";
import type { DuePayment } from "./billing-page";
import { pageAddress } from "./invoice-lines.server";

/** Whether something of a subscription may be waiting for money. */
function mayOwe({ status, pending_update }: Stripe.Subscription): boolean {
  return (
    status === "past_due" || status === "unpaid" || status === "incomplete" || !!pending_update
  );
}

/** The open invoices of a customer's subscriptions, with what failed at each. Throws without Stripe. */
export async function duePayments(
  stripe: Stripe,
  configuration: Configuration,
  customer: string,
  subscriptions: readonly Stripe.Subscription[],
): Promise<DuePayment[]> {
  if (!subscriptions.some(mayOwe)) return [];
  const { data } = await stripe.invoices.list({ customer, status: "open", limit: 10 });
  const owed = data.filter(({ amount_remaining }) => amount_remaining > 0);
  const catalogue = await readCatalogue(stripe, configuration, subscriptions);
  const plans = subscriptions.filter((each) => planOfSubscription(each, catalogue) !== "none");
  return Promise.all(
    owed.map(async (invoice) => {
      const plan = plans.find(({ id }) => id === subscriptionOf(invoice));
      return duePayment(invoice, plan, await failureOf(stripe, invoice.id));
    }),
  );
}

function subscriptionOf({ parent }: Stripe.Invoice): string | undefined {
  const reference = parent?.subscription_details?.subscription;
  return typeof reference === "string" ? reference : reference?.id;
}

type Failure = { code: string | undefined; asks: boolean; card: string | undefined };

/** Why the last try to charge an invoice failed. */
async function failureOf(stripe: Stripe, invoice: string): Promise<Failure> {
  const { data } = await stripe.invoicePayments.list({
    invoice,
    status: "open",
    limit: 1,
    expand: ["data.payment.payment_intent"],
  });
  const intent = data[0]?.payment.payment_intent;
  if (!intent || typeof intent === "string")
    return { code: undefined, asks: false, card: undefined };
  const { last_payment_error: error, status } = intent;
  const code = error?.decline_code === "expired_card" ? "expired_card" : error?.code;
  return {
    code,
    asks: status === "requires_action" || code === "authentication_required",
    card: error?.payment_method ? methodWords(cardOf(error.payment_method)) : undefined,
  };
}

function duePayment(
  invoice: Stripe.Invoice,
  plan: Stripe.Subscription | undefined,
  failure: Failure,
): DuePayment {
  const amount = exactAmount(invoice.amount_remaining, invoice.currency);
  return {
    invoice: invoice.number ?? invoice.id,
    amount,
    reason: reasonFor(amount, failure),
    next: nextFor(invoice, plan),
    button: failure.asks ? "Confirm and pay" : "Pay now",
    page: pageAddress(invoice.hosted_invoice_url),
    needsCard: !failure.asks,
  };
}

function reasonFor(amount: string, { code, asks, card }: Failure): string {
  const named = card ? `your card (${card})` : "your card";
  if (asks) return `Your bank wants you to confirm the payment of ${amount}. The card is fine.`;
  if (code === "expired_card")
    return `The payment of ${amount} failed, because ${named} has expired.`;
  if (code) return `The payment of ${amount} failed, because ${named} was declined.`;
  return `${amount} is not paid.`;
}

/** Of an invoice for something else than one of our plans, only Stripe's next try is known. */
function nextFor(invoice: Stripe.Invoice, plan: Stripe.Subscription | undefined): string {
  const attempt = invoice.next_payment_attempt;
  const again =
    attempt === null
      ? "Stripe does not try again by itself."
      : `Stripe tries again on ${dayOf(fromSeconds(attempt))}.`;
  if (!plan) return again;
  if (plan.pending_update) {
    return `The change of your plan waits for it until ${momentOf(fromSeconds(plan.pending_update.expires_at))}. After that nothing is charged and your plan stays as it is.`;
  }
  if (plan.status === "incomplete") {
    return "Your plan begins with this payment. Without it nothing is charged, and the purchase ends a day after it began.";
  }
  if (attempt !== null) {
    return `${again} If the last try fails too, your plan ends and your deployments become read-only; nothing is deleted.`;
  }
  if (plan.status === "unpaid") {
    return `${again} Your deployments are read-only until it is paid; nothing is deleted.`;
  }
  return `${again} If it stays unpaid, your plan ends and your deployments become read-only; nothing is deleted.`;
}
