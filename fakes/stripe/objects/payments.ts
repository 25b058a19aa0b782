import type Stripe from "stripe";
import type { Account } from "../account.ts";
import { idOf, newId, onTheWire } from "../state.ts";

/** Why a card did not pay: what the intent of the payment says, in Stripe's words. */
export type Decline = "card_declined" | "expired_card" | "authentication_required";

const messages: Record<Decline, string> = {
  card_declined: "Your card was declined.",
  expired_card: "Your card has expired.",
  authentication_required: "Your card was declined. This transaction requires authentication.",
};

/** The payment that a finalized invoice waits for. An invoice with nothing due has none. */
export function openPayment(account: Account, invoice: Stripe.Invoice): void {
  if (invoice.amount_due <= 0) return;
  const { state } = account;
  const intent = makeIntent(invoice);
  state.paymentIntents[intent.id] = intent;
  const payment = onTheWire<Stripe.InvoicePayment>({
    id: newId("inpay"),
    object: "invoice_payment",
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: invoice.created,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: intent.id, type: "payment_intent" },
    status: "open",
    status_transitions: { canceled_at: null, paid_at: null },
  });
  state.invoicePayments[payment.id] = payment;
}

/** Notes that the card paid: a charge, and the payment's end. */
export function succeedPayment(
  account: Account,
  invoice: Stripe.Invoice,
  card: string | null,
  at: number,
): void {
  const found = paymentOf(account, invoice);
  if (!found) return;
  const { payment, intent } = found;
  const charge = makeCharge(invoice, intent, card, at);
  account.state.charges[charge.id] = charge;
  intent.status = "succeeded";
  intent.amount_received = intent.amount;
  intent.latest_charge = charge.id;
  intent.payment_method = card;
  intent.last_payment_error = null;
  intent.next_action = null;
  payment.status = "paid";
  payment.amount_paid = payment.amount_requested;
  payment.status_transitions.paid_at = at;
}

/**
 * Records why the card did not pay. If the bank asks for authentication, the buyer gives it on the invoice's page.
 */
export function failPayment(
  account: Account,
  invoice: Stripe.Invoice,
  card: Stripe.PaymentMethod | undefined,
  reason: Decline,
): void {
  const intent = paymentOf(account, invoice)?.intent;
  if (!intent) return;
  const asks = reason === "authentication_required";
  intent.status = asks ? "requires_action" : "requires_payment_method";
  intent.payment_method = asks && card ? card.id : null;
  intent.last_payment_error = {
    code: reason,
    ...(reason === "card_declined" ? { decline_code: "generic_decline" } : {}),
    message: messages[reason],
    ...(card ? { payment_method: onTheWire(card) } : {}),
    type: "card_error",
  };
}

/** Ends the wait for the payment of an invoice that is void. */
export function cancelPayment(account: Account, invoice: Stripe.Invoice, at: number): void {
  const found = paymentOf(account, invoice);
  if (found?.payment.status !== "open") return;
  found.payment.status = "canceled";
  found.payment.status_transitions.canceled_at = at;
  found.intent.status = "canceled";
  found.intent.canceled_at = at;
}

/** An invoice's payment with its intent. */
export function paymentOf(
  { state }: Account,
  invoice: Stripe.Invoice,
): { payment: Stripe.InvoicePayment; intent: Stripe.PaymentIntent } | undefined {
  const payment = Object.values(state.invoicePayments).findLast(
    (each) => each.invoice === invoice.id,
  );
  const reference = payment?.payment.payment_intent;
  const intent = reference && state.paymentIntents[idOf(reference)];
  return payment && intent ? { payment, intent } : undefined;
}

function makeIntent(invoice: Stripe.Invoice): Stripe.PaymentIntent {
  const id = newId("pi");
  return onTheWire<Stripe.PaymentIntent>({
    id,
    object: "payment_intent",
    allowed_payment_method_types: ["card"],
    amount: invoice.amount_due,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: "automatic",
    client_secret: `${id}_secret_local`,
    confirmation_method: "automatic",
    created: invoice.created,
    currency: invoice.currency,
    customer: invoice.customer && idOf(invoice.customer),
    customer_account: null,
    description: "Subscription",
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ["card"],
    payment_record: null,
    processing: null,
    receipt_email: invoice.customer_email,
    review: null,
    setup_future_usage: "off_session",
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: "requires_payment_method",
    transfer_group: null,
  });
}

function makeCharge(
  invoice: Stripe.Invoice,
  intent: Stripe.PaymentIntent,
  card: string | null,
  at: number,
): Stripe.Charge {
  return onTheWire<Stripe.Charge>({
    id: newId("ch"),
    object: "charge",
    amount: intent.amount,
    amount_captured: intent.amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: newId("txn"),
    billing_details: {
      address: invoice.customer_address,
      email: invoice.customer_email,
      name: invoice.customer_name,
      phone: null,
      tax_id: null,
    },
    calculated_statement_descriptor: "LOCAL STRIPE",
    captured: true,
    created: at,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: null,
    livemode: false,
    metadata: {},
    on_behalf_of: null,
    outcome: null,
    paid: true,
    payment_intent: intent.id,
    payment_method: card,
    payment_method_details: null,
    receipt_email: invoice.customer_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: "succeeded",
    transfer_data: null,
    transfer_group: null,
  });
}
