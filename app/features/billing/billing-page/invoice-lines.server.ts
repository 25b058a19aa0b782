import type Stripe from "stripe";
import { dayOf, fromSeconds } from "~/ui/dates";
import { exactAmount } from "../prices/words";
import type { InvoiceLine } from "./billing-page";

const states: ReadonlyMap<string | null, InvoiceLine["state"]> = new Map([
  ["paid", "Paid"],
  ["open", "Not paid"],
  ["void", "Void"],
  ["uncollectible", "Not collected"],
]);

/** What became of the payment of an invoice later: by the id of its payment intent, as Stripe's charges have it. */
export type Charges = ReadonlyMap<
  string,
  Pick<Stripe.Charge, "amount_refunded" | "refunded" | "disputed">
>;

/** The charges of a customer that were given back or disputed. */
export function returnedCharges(charges: readonly Stripe.Charge[]): Charges {
  return new Map(
    charges.flatMap((charge) => {
      const intent = charge.payment_intent;
      const id = typeof intent === "string" ? intent : intent?.id;
      return id && (charge.amount_refunded > 0 || charge.disputed) ? [[id, charge] as const] : [];
    }),
  );
}

/**
 * An invoice in words; empty for a draft, whose amount may still change. Its `payments` must be expanded: a refund is
 * made of a payment, and the invoice itself stays paid.
 */
export function invoiceLine(invoice: Stripe.Invoice, charges: Charges): InvoiceLine[] {
  const { number, currency, total } = invoice;
  const charge = (invoice.payments?.data ?? [])
    .map(({ payment: { payment_intent: intent } }) =>
      charges.get(typeof intent === "string" ? intent : (intent?.id ?? "")),
    )
    .find((each) => each !== undefined);
  const state =
    invoice.status === "paid" && charge ? returnedState(charge) : states.get(invoice.status);
  if (!state) return [];
  return [
    {
      id: invoice.id,
      number: number ?? invoice.id,
      day: dayOf(fromSeconds(invoice.created)),
      amount: exactAmount(total, currency),
      note: noteOf(invoice, charge?.amount_refunded ?? 0),
      state,
      page: pageAddress(invoice.hosted_invoice_url),
      pdf: pageAddress(invoice.invoice_pdf),
    },
  ];
}

function returnedState({
  refunded,
  disputed,
}: Pick<Stripe.Charge, "refunded" | "disputed">): InvoiceLine["state"] {
  if (disputed) return "Disputed";
  return refunded ? "Refunded" : "Partly refunded";
}

function noteOf(invoice: Stripe.Invoice, refunded: number): string | undefined {
  const { currency, total } = invoice;
  const tax = sum(invoice.total_taxes);
  const discount = sum(invoice.total_discount_amounts);
  // A credit note before the payment lowers what is due, as credit does; one after it gives money or credit back.
  const before = invoice.pre_payment_credit_notes_amount;
  const noted = before + invoice.post_payment_credit_notes_amount;
  const credit = total > 0 ? Math.max(0, total - before - invoice.amount_due) : 0;
  const parts = [
    tax > 0 ? `with ${exactAmount(tax, currency)} tax` : undefined,
    discount > 0 ? `after ${exactAmount(discount, currency)} discount` : undefined,
    credit > 0 ? `${exactAmount(credit, currency)} paid from credit` : undefined,
    total < 0 ? "goes to your credit" : undefined,
    noted > 0 ? `credit note over ${exactAmount(noted, currency)}` : undefined,
    refunded > 0 ? `${exactAmount(refunded, currency)} given back` : undefined,
  ];
  return parts.filter(Boolean).join(", ") || undefined;
}

function sum(amounts: readonly { amount: number }[] | null): number {
  return (amounts ?? []).reduce((total, { amount }) => total + amount, 0);
}

/** The address if it is an http(s) URL, which is safe to use as a link; otherwise undefined. */
export function pageAddress(address: string | null | undefined): string | undefined {
  return address && /^https?:\/\//.test(address) ? address : undefined;
}
