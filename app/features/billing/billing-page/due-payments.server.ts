import type Stripe from "stripe";
import type { Configuration } from "~/platform/env/configuration.server";
import { dayOf, fromSeconds, momentOf } from "~/ui/dates";
import { methodColumns } from "../prices/payment-methods";
import { planOfSubscription, readCatalogue } from "../prices/product-plans.server";
import { exactAmount, methodWords } from "../prices/words";
import { readInvoicePayment } from "../stripe/invoice-payment.server";
import { orderLimit } from "../subscriptions/transfer-orders.server";
import type { DuePayment } from "./billing-page";
import { pageAddress } from "./invoice-lines.server";

/** Whether a subscription may have an invoice that waits for its payment. */
function mayHaveOpenInvoice({
  status,
  pending_update,
  collection_method,
}: Stripe.Subscription): boolean {
  return (
    collection_method === "send_invoice" ||
    status === "past_due" ||
    status === "unpaid" ||
    status === "incomplete" ||
    !!pending_update
  );
}

/** The open invoices of a customer, each with why it is not paid. Throws when Stripe does not answer. */
export async function duePayments(
  stripe: Stripe,
  configuration: Configuration,
  customer: string,
  subscriptions: readonly Stripe.Subscription[],
): Promise<DuePayment[]> {
  if (!subscriptions.some(mayHaveOpenInvoice)) return [];
  const { data } = await stripe.invoices.list({ customer, status: "open", limit: 10 });
  const owed = data.filter(({ amount_remaining }) => amount_remaining > 0);
  const catalogue = await readCatalogue(stripe, configuration, subscriptions);
  const plans = subscriptions.filter((each) => planOfSubscription(each, catalogue) !== "none");
  return Promise.all(
    owed.map(async (invoice) => {
      const plan = plans.find(({ id }) => id === subscriptionOf(invoice));
      if (isSent(invoice)) return sentInvoice(invoice, plan);
      return duePayment(invoice, plan, await failureOf(stripe, invoice.id));
    }),
  );
}

function subscriptionOf({ parent }: Stripe.Invoice): string | undefined {
  const reference = parent?.subscription_details?.subscription;
  return typeof reference === "string" ? reference : reference?.id;
}

type Failure = {
  /** Stripe's error code; undefined when nothing failed. */
  code: string | undefined;
  /** Whether the bank wants its customer to confirm the payment. */
  asks: boolean;
  /** The card in words. */
  card: string | undefined;
};

/** Why the last try to charge an invoice failed. */
async function failureOf(stripe: Stripe, invoice: string): Promise<Failure> {
  const { failure, status } = await readInvoicePayment(stripe, invoice);
  const code = failure?.decline_code === "expired_card" ? "expired_card" : failure?.code;
  return {
    code,
    asks: status === "requires_action" || code === "authentication_required",
    card: failure?.payment_method ? methodWords(methodColumns(failure.payment_method)) : undefined,
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

/** An invoice that its customer pays until a day; nothing is charged for it. */
type SentInvoice = Stripe.Invoice & { due_date: number };

function isSent(invoice: Stripe.Invoice): invoice is SentInvoice {
  return invoice.collection_method === "send_invoice" && invoice.due_date !== null;
}

function sentInvoice(invoice: SentInvoice, plan: Stripe.Subscription | undefined): DuePayment {
  const { due_date } = invoice;
  const amount = exactAmount(invoice.amount_remaining, invoice.currency);
  const day = dayOf(fromSeconds(due_date));
  const isOver = plan ? plan.status !== "active" : due_date * 1_000 < Date.now();
  const how =
    "The invoice's page says how to pay it: by bank transfer with the reference that it names, or as it offers besides.";
  const limit = plan && orderLimit(plan);
  const then = plan
    ? limit
      ? ` What has not arrived by ${dayOf(fromSeconds(limit))} ends your plan: your deployments become read-only, and nothing is deleted.`
      : " If it stays unpaid, your plan ends and your deployments become read-only; nothing is deleted."
    : "";
  return {
    invoice: invoice.number ?? invoice.id,
    amount,
    reason: isOver
      ? `${amount} was due on ${day}, and has not arrived.`
      : `${amount} is due by ${day}.`,
    next: isOver
      ? `${how} A transfer takes up to five working days.${then}`
      : `${how} Your plan has all that it has until then.${limit ? then : ""}`,
    button: "Open the invoice",
    page: pageAddress(invoice.hosted_invoice_url),
    needsCard: false,
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

/** What happens next to an unpaid invoice. Without `plan`, for another product, only Stripe's next try is known. */
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
