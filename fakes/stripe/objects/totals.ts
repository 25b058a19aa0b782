import type Stripe from "stripe";
import { idOf, type StripeState } from "../state.ts";
import { couponOf, sharesOf } from "./discounts.ts";
import { behaviorOf, taxFor, taxIdsOf, taxOn } from "./tax.ts";

/**
 * Fills in what follows from an invoice's lines, from its `discounts` and from `automatic_tax.enabled`:
 * discounts, tax, the total, and what is due after the customer's balance. Changes nothing but the
 * invoice, so a preview may use it too; safe to repeat while it is a draft.
 */
export function applyTotals(state: StripeState, invoice: Stripe.Invoice): void {
  const customer = state.customers[invoice.customer ? idOf(invoice.customer) : ""];
  const payer = customer && !customer.deleted ? customer : undefined;
  applyDiscounts(state, invoice);
  applyTax(state, invoice, payer);
  const { lines } = invoice;
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
  const discount = sum(invoice.total_discount_amounts?.map(({ amount }) => amount) ?? []);
  const taxes = invoice.total_taxes ?? [];
  const added = sum(taxes.filter((each) => each.tax_behavior === "exclusive").map(amountOf));
  invoice.subtotal = sum(lines.data.map(amountOf));
  invoice.total = invoice.subtotal - discount + added;
  invoice.total_excluding_tax = invoice.total - sum(taxes.map(amountOf));
  invoice.subtotal_excluding_tax =
    invoice.subtotal - sum(lines.data.map((line) => inclusiveTaxBeforeDiscount(line)));
  const balance = payer?.balance ?? 0;
  invoice.starting_balance = balance;
  invoice.amount_due = Math.max(0, invoice.total + (invoice.total > 0 ? balance : 0));
  invoice.amount_remaining = invoice.amount_due - invoice.amount_paid;
}

const amountOf = ({ amount }: { amount: number }) => amount;

function applyDiscounts(state: StripeState, invoice: Stripe.Invoice): void {
  const lines = invoice.lines.data.filter((line) => line.discountable);
  const rest = lines.map(amountOf);
  for (const line of invoice.lines.data) line.discount_amounts = [];
  invoice.total_discount_amounts = [];
  for (const reference of invoice.discounts) {
    const discount = idOf(reference);
    const coupon = couponOf(state, state.discounts[discount]?.source.coupon ?? null);
    if (!coupon) continue;
    let total = 0;
    for (const [index, amount] of sharesOf(coupon, rest).entries()) {
      rest[index] = (rest[index] ?? 0) - amount;
      total += amount;
      lines[index]?.discount_amounts?.push({ amount, discount });
    }
    invoice.total_discount_amounts.push({ amount: total, discount });
  }
}

/** A line's amount less its discounts. */
function netOf(line: Stripe.InvoiceLineItem): number {
  return (line.discount_amounts ?? []).reduce((rest, { amount }) => rest - amount, line.amount);
}

function applyTax(
  state: StripeState,
  invoice: Stripe.Invoice,
  payer: Stripe.Customer | undefined,
): void {
  for (const line of invoice.lines.data) line.taxes = [];
  invoice.total_taxes = [];
  invoice.customer_tax_ids = payer
    ? taxIdsOf(state, payer.id).map(({ type, value }) => ({ type, value }))
    : [];
  if (!invoice.automatic_tax.enabled) return;
  invoice.automatic_tax.liability = { type: "self" };
  invoice.automatic_tax.provider = "stripe";
  const tax = payer && taxFor(state, payer);
  invoice.automatic_tax.status = tax ? "complete" : "requires_location_inputs";
  if (!tax) return;
  for (const line of invoice.lines.data) {
    const price = line.pricing?.price_details?.price;
    const tax_behavior = behaviorOf(price ? state.prices[idOf(price)] : undefined);
    const net = netOf(line);
    const amount = taxOn(net, tax.percent, tax_behavior);
    const taxed = {
      amount,
      tax_behavior,
      tax_rate_details: null,
      taxability_reason: tax.reason,
      taxable_amount: tax_behavior === "inclusive" ? net - amount : net,
      type: "tax_rate_details",
    } as const;
    line.taxes = [taxed];
    addToTotal(invoice.total_taxes, taxed);
  }
}

type Tax = NonNullable<Stripe.Invoice["total_taxes"]>[number];

/** An invoice shows one row for each kind of tax. */
function addToTotal(totals: Tax[], tax: Tax): void {
  const same = totals.find(({ tax_behavior }) => tax_behavior === tax.tax_behavior);
  if (!same) {
    totals.push({ ...tax });
    return;
  }
  same.amount += tax.amount;
  same.taxable_amount = (same.taxable_amount ?? 0) + (tax.taxable_amount ?? 0);
}

function inclusiveTaxBeforeDiscount(line: Stripe.InvoiceLineItem): number {
  const [tax] = line.taxes ?? [];
  if (tax?.tax_behavior !== "inclusive") return 0;
  const net = netOf(line);
  return net === 0 ? 0 : Math.round((tax.amount * line.amount) / net);
}
