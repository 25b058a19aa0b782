import type Stripe from "stripe";
import type { InvoiceLine } from "../../../app/features/billing/billing-page/billing-page.ts";
import {
  invoiceLine,
  returnedCharges,
} from "../../../app/features/billing/billing-page/invoice-lines.server.ts";
import { stripe } from "./stripe-account.ts";

type Books = { invoices: Stripe.Invoice[]; charges: Stripe.Charge[] };

/**
 * Customers whose invoices, in the words of the Billing page, come to another sum than what Stripe has charged and not
 * given back, in cents.
 */
export async function differingBooks() {
  const books = new Map<string, Books>();
  const of = (customer: string | { id: string } | null) => {
    const id = typeof customer === "object" ? (customer?.id ?? "") : customer;
    const found = books.get(id) ?? { invoices: [], charges: [] };
    books.set(id, found);
    return found;
  };
  for await (const each of stripe.invoices.list({ limit: 100, expand: ["data.payments"] }))
    of(each.customer).invoices.push(each);
  for await (const each of stripe.charges.list({ limit: 100 }))
    of(each.customer).charges.push(each);
  return [...books].flatMap(([id, { invoices, charges }]) => {
    const returned = returnedCharges(charges);
    const shown = sum(invoices.flatMap((each) => invoiceLine(each, returned)).map(takenBy));
    const charged = sum(
      charges.filter(({ paid }) => paid).map((each) => each.amount - each.amount_refunded),
    );
    return shown === charged ? [] : [{ id, shown, charged }];
  });
}

/** What an invoice has taken from a card, as a person reads it. */
function takenBy({ amount, note = "", state }: InvoiceLine): number {
  const isPaid = ["Paid", "Refunded", "Partly refunded", "Disputed"].includes(state);
  if (!isPaid || note.includes("goes to your credit")) return 0;
  return cents(amount) - cents(note, " paid from credit") - cents(note, " given back");
}

/** The amount before these words, in cents; 0 without one. */
function cents(text: string, words = ""): number {
  const [, dollars = "0", part = "0"] =
    new RegExp(`\\$([\\d,]+)\\.(\\d\\d)${words}`).exec(text) ?? [];
  return Number(dollars.replaceAll(",", "")) * 100 + Number(part);
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, each) => total + each, 0);
