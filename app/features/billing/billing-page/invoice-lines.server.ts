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

/** An invoice in words; empty for a draft, whose amount may still change. */
export function invoiceLine(invoice: Stripe.Invoice): InvoiceLine[] {
  const { number, currency, total } = invoice;
  const state = states.get(invoice.status);
  if (!state) return [];
  return [
    {
      id: invoice.id,
      number: number ?? invoice.id,
      day: dayOf(fromSeconds(invoice.created)),
      amount: exactAmount(total, currency),
      note: noteOf(invoice),
      state,
      page: pageAddress(invoice.hosted_invoice_url),
      pdf: pageAddress(invoice.invoice_pdf),
    },
  ];
}

function noteOf(invoice: Stripe.Invoice): string | undefined {
  const { currency, total } = invoice;
  const tax = sum(invoice.total_taxes);
  const discount = sum(invoice.total_discount_amounts);
  const credit = total > 0 ? Math.max(0, total - invoice.amount_due) : 0;
  const parts = [
    tax > 0 ? `with ${exactAmount(tax, currency)} tax` : undefined,
    discount > 0 ? `after ${exactAmount(discount, currency)} discount` : undefined,
    credit > 0 ? `${exactAmount(credit, currency)} paid from credit` : undefined,
    total < 0 ? "goes to your credit" : undefined,
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
