import type Stripe from "stripe";
import { wholeList } from "./lists.ts";
import { idOf, newId, onTheWire } from "./state.ts";

type InvoiceTerms = {
  customer: Stripe.Customer;
  subscription: Stripe.Subscription;
  reason: "subscription_create" | "subscription_cycle" | "subscription_update";
  /** The start of the period that ends with this invoice. */
  periodStart: number;
  /** Where time stands for this invoice: now, or the end of the period that was skipped. */
  at: number;
};

function makeLine(
  invoice: string,
  subscription: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  productName: string,
): Stripe.InvoiceLineItem {
  const quantity = item.quantity ?? 1;
  const amount = (item.price.unit_amount ?? 0) * quantity;
  const price = `$${((item.price.unit_amount ?? 0) / 100).toFixed(2)}`;
  return onTheWire<Stripe.InvoiceLineItem>({
    id: newId("il"),
    object: "line_item",
    amount,
    currency: item.price.currency,
    description: `${quantity} × ${productName} (at ${price} / ${item.price.recurring?.interval})`,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice,
    livemode: false,
    metadata: subscription.metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: false,
        proration_details: { credited_items: null },
        subscription: subscription.id,
        subscription_item: item.id,
      },
      type: "subscription_item_details",
    },
    period: { end: item.current_period_end, start: item.current_period_start },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: item.price.id, product: idOf(item.price.product) },
      type: "price_details",
      unit_amount_decimal: item.price.unit_amount_decimal,
    },
    quantity,
    quantity_decimal: null,
    subscription: subscription.id,
    subtotal: amount,
    taxes: [],
  });
}

/** A draft invoice for the period that the subscription is in. */
export function makeInvoice(
  terms: InvoiceTerms,
  productName: (id: string) => string,
): Stripe.Invoice {
  const { customer, subscription, at } = terms;
  const id = newId("in");
  const lines = subscription.items.data.map((item) =>
    makeLine(id, subscription, item, productName(idOf(item.price.product))),
  );
  const total = lines.reduce((sum, line) => sum + line.amount, 0);
  const isFirst = terms.reason === "subscription_create";
  return onTheWire<Stripe.Invoice>({
    id,
    object: "invoice",
    account_country: "US",
    account_name: "Local stand-in",
    account_tax_ids: null,
    amount_due: total,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: total,
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
    automatically_finalizes_at: null,
    billing_reason: terms.reason,
    collection_method: "charge_automatically",
    created: at,
    currency: subscription.currency,
    custom_fields: null,
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
    subtotal: total,
    subtotal_excluding_tax: total,
    test_clock: null,
    total,
    total_discount_amounts: [],
    total_excluding_tax: total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: null,
  });
}

/** Gives a draft its number and its pages: from here on it can be paid. */
export function finalize(invoice: Stripe.Invoice, number: string, baseUrl: string): void {
  invoice.status = "open";
  invoice.number = number;
  invoice.auto_advance = true;
  invoice.effective_at = invoice.created;
  invoice.ending_balance = 0;
  invoice.hosted_invoice_url = `${baseUrl}/i/${invoice.id}`;
  invoice.invoice_pdf = `${baseUrl}/i/${invoice.id}`;
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

/** Notes a charge that was declined; Stripe tries again three days later. */
export function markPaymentFailed(invoice: Stripe.Invoice, at: number): void {
  invoice.attempted = true;
  invoice.attempt_count += 1;
  invoice.next_payment_attempt = at + 3 * 24 * 60 * 60;
}
