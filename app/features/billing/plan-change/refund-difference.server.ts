import Stripe from "stripe";
import { describeError, log } from "~/platform/log/log.server";

/**
 * Gives back what a change charged above the amount that was confirmed. Stripe counts a change that begins a new
 * billing period to its own second, so a cent may be added between the last preview and the charge. `confirmed` is in
 * cents. It may be repeated: Stripe refunds under one key once. Never throws: the change is done either way.
 */
export async function refundDifference(
  stripe: Stripe,
  invoice: Stripe.Invoice | undefined,
  confirmed: number,
): Promise<void> {
  if (invoice?.billing_reason !== "subscription_update") return;
  const difference = invoice.amount_paid - confirmed;
  if (difference <= 0) return;
  const about = { invoice: invoice.id, difference };
  try {
    const { payments } = await stripe.invoices.retrieve(invoice.id, { expand: ["payments"] });
    const paid = payments?.data.find(({ status }) => status === "paid");
    const intent = paid?.payment.payment_intent;
    if (!intent) throw new Error("The invoice has no payment");
    await stripe.refunds.create(
      { payment_intent: typeof intent === "string" ? intent : intent.id, amount: difference },
      { idempotencyKey: `difference-${invoice.id}` },
    );
    log.info("A change cost more than was shown, and the difference was refunded", about);
  } catch (error) {
    const isDone =
      error instanceof Stripe.errors.StripeIdempotencyError ||
      (error instanceof Stripe.errors.StripeError && error.code === "charge_already_refunded");
    if (!isDone)
      log.error("A change cost more than was shown, and the difference was not refunded", {
        ...about,
        ...describeError(error),
      });
  }
}
