import type Stripe from "stripe";
import type { Configuration } from "~/platform/env/configuration.server";
import { log } from "~/platform/log/log.server";
import { stripeClient } from "../stripe/stripe.server";
import { refundPayments } from "./refund-payments.server";

/**
 * How long the deletion of an account may take. It ends subscriptions first and notes the customers as closed
 * afterwards. Nobody can use a subscription that began in between or later.
 */
const deletionMayLastMs = 10 * 60 * 1_000;

/**
 * Refunds what was paid for subscriptions that began after the account of their customer was deleted; `closedAt`
 * is the ISO timestamp of the deletion. It must be called before the subscriptions are ended, because ended ones
 * are not looked at again. It may be repeated and run twice at once: Stripe refunds a payment once. A refund that
 * Stripe refuses is logged for the operator. Throws when Stripe does not answer.
 */
export async function refundClosedCheckouts(
  configuration: Configuration,
  closedAt: string,
  open: readonly Stripe.Subscription[],
): Promise<void> {
  const from = Date.parse(closedAt) - deletionMayLastMs;
  const stripe = stripeClient(configuration);
  for (const { id, created, customer } of open) {
    if (created * 1_000 < from) continue;
    const { refunded, refused } = await refundPayments(stripe, id, "late");
    const details = {
      customer: typeof customer === "string" ? customer : customer.id,
      subscription: id,
      refunded,
    };
    if (refused > 0) log.error("A late payment could not be refunded", { ...details, refused });
    else log.warn("A checkout was paid after its account was deleted", details);
  }
}
