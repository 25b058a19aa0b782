import type Stripe from "stripe";

/** The payment of an invoice as it is now. */
export type InvoicePayment = {
  /** Undefined while nothing was tried. */
  status: Stripe.PaymentIntent.Status | undefined;
  /** Stripe's page on which the invoice can be paid. */
  url: string | undefined;
  /** Why the last try failed; undefined when none failed. */
  failure: Stripe.PaymentIntent.LastPaymentError | undefined;
};

/** Reads how the payment of an invoice stands. Throws when Stripe does not answer. */
export async function readInvoicePayment(
  stripe: Stripe,
  invoiceId: string,
): Promise<InvoicePayment> {
  const invoice = await stripe.invoices.retrieve(invoiceId, {
    expand: ["payments.data.payment.payment_intent"],
  });
  const payments = invoice.payments?.data ?? [];
  // An invoice may keep payments that were cancelled; the open one is the one that counts.
  const payment = payments.find(({ status }) => status === "open") ?? payments.at(0);
  const intent = payment?.payment.payment_intent;
  const details = intent && typeof intent === "object" ? intent : undefined;
  return {
    status: details?.status,
    url: invoice.hosted_invoice_url ?? undefined,
    failure: details?.last_payment_error ?? undefined,
  };
}
