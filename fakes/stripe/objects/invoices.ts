import type Stripe from "stripe";
import { wholeList } from "../lists.ts";
import type { LineTerms } from "../state.ts";
import { idOf, newId, onTheWire, type StripeState } from "../state.ts";
import { discountsAt } from "./discounts.ts";
import { makeLine } from "./invoice-lines.ts";
import { applyTotals } from "./totals.ts";

/** How long an invoice that is sent stays a draft. https://docs.stripe.com/billing/invoices/subscription */
const draftLifetime = 60 * 60;

type InvoiceTerms = {
  customer: Stripe.Customer;
  subscription: Stripe.Subscription;
  reason: "subscription_create" | "subscription_cycle" | "subscription_update" | "upcoming";
  /** The start of the period that ends with this invoice. */
  periodStart: number;
  /** The time of this invoice: now, or the end of the period that a test has skipped. */
  at: number;
  lines: LineTerms[];
};

/** A draft invoice of the given lines. */
export function makeInvoice(state: StripeState, terms: InvoiceTerms): Stripe.Invoice {
  const { customer, subscription, at } = terms;
  const id = newId(terms.reason === "upcoming" ? "upcoming_in" : "in");
  const lines = terms.lines.map((line) => makeLine(id, subscription, line));
  const isFirst = terms.reason === "subscription_create";
  const invoice = onTheWire<Stripe.Invoice>({
    id,
    object: "invoice",
    account_country: "US",
    account_name: "Local fake",
    account_tax_ids: null,
    amount_due: 0,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: 0,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: !isFirst,
    automatic_tax: {
      disabled_reason: null,
      enabled: false,
      liability: null,
      provider: null,
      status: null,
    },
    automatically_finalizes_at:
      subscription.collection_method === "send_invoice" ? at + draftLifetime : null,
    billing_reason: terms.reason,
    collection_method: subscription.collection_method,
    created: at,
    currency: subscription.currency,
    custom_fields: customer.invoice_settings.custom_fields,
    customer: customer.id,
    customer_account: null,
    customer_address: customer.address ?? null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    customer_shipping: null,
    customer_tax_exempt: "none",
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: null,
    ending_balance: null,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: "self" },
    last_finalization_error: null,
    latest_revision: null,
    lines: wholeList(`/v1/invoices/${id}/lines`, lines),
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: null,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: "subscription_details",
    },
    payment_settings: {
      default_mandate: null,
      payment_method_options: null,
      payment_method_types: ["card"],
    },
    // Stripe dates an invoice by the period that ended, its lines by the one that it pays for.
    period_end: at,
    period_start: terms.periodStart,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
    status: "draft",
    status_transitions: {
      finalized_at: null,
      marked_uncollectible_at: null,
      paid_at: null,
      voided_at: null,
    },
    subtotal: 0,
    subtotal_excluding_tax: 0,
    test_clock: null,
    total: 0,
    total_discount_amounts: [],
    total_excluding_tax: 0,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: null,
  });
  invoice.discounts = discountsAt(state, subscription, at);
  invoice.automatic_tax.enabled = subscription.automatic_tax.enabled;
  applyTotals(state, invoice);
  return invoice;
}

/** Gives a draft its number and its pages: from here on it can be paid. */
export function finalize(invoice: Stripe.Invoice, number: string, baseUrl: string): void {
  invoice.status = "open";
  invoice.number = number;
  invoice.auto_advance = true;
  invoice.effective_at = invoice.created;
  invoice.hosted_invoice_url = `${baseUrl}/i/${invoice.id}`;
  invoice.invoice_pdf = `${baseUrl}/i/${invoice.id}/pdf`;
  invoice.status_transitions.finalized_at = invoice.created;
}

/** Notes a charge that went through. */
export function markPaid(invoice: Stripe.Invoice, at: number): void {
  invoice.status = "paid";
  invoice.attempted = true;
  invoice.attempt_count += 1;
  invoice.auto_advance = false;
  invoice.amount_paid = invoice.amount_due;
  invoice.amount_remaining = 0;
  invoice.next_payment_attempt = null;
  invoice.status_transitions.paid_at = at;
}

/** Notes a charge that did not go through, and when it is tried again. */
export function markPaymentFailed(invoice: Stripe.Invoice, nextAttempt: number | null): void {
  invoice.attempted = true;
  invoice.attempt_count += 1;
  invoice.next_payment_attempt = nextAttempt;
}

/** Gives up what an open invoice asks for. */
export function markVoid(invoice: Stripe.Invoice, at: number): void {
  invoice.status = "void";
  invoice.auto_advance = false;
  invoice.next_payment_attempt = null;
  invoice.status_transitions.voided_at = at;
}

/** The draft of a subscription that becomes an invoice by itself. */
export function waitingDraft(
  state: StripeState,
  subscription: Stripe.Subscription,
): Stripe.Invoice | undefined {
  return Object.values(state.invoices).find(
    (invoice) =>
      invoice.status === "draft" &&
      invoice.automatically_finalizes_at !== null &&
      isFor(invoice, subscription.id),
  );
}

/** The invoices of a subscription that are still to be paid. */
export function openInvoices(
  state: StripeState,
  subscription: Stripe.Subscription,
): Stripe.Invoice[] {
  return Object.values(state.invoices).filter(
    (invoice) => invoice.status === "open" && isFor(invoice, subscription.id),
  );
}

/** Whether an invoice belongs to a subscription. */
export function isFor(invoice: Stripe.Invoice, subscription: string): boolean {
  const reference = invoice.parent?.subscription_details?.subscription;
  return reference !== undefined && idOf(reference) === subscription;
}
