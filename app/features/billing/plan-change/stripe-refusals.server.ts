import Stripe from "stripe";

/** Whether Stripe refused because of another request: one is under way, or used the same idempotency key. */
export function isContention(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeIdempotencyError ||
    (error instanceof Stripe.errors.StripeError &&
      (error.statusCode === 409 || error.code === "lock_timeout"))
  );
}

/** Whether Stripe refused the request as invalid: nothing was done, and a retry would be refused again. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && !isContention(error);
}

/** The decline codes for which Stripe's sentence says more than that the card was declined. */
const explained: ReadonlySet<string | undefined> = new Set([
  "authentication_required",
  "card_not_supported",
  "card_velocity_exceeded",
  "currency_not_supported",
  "insufficient_funds",
]);

/** What Stripe says to the owner of a card beyond that it was declined; undefined where it says no more. */
export function declineReason(
  error: Pick<Stripe.PaymentIntent.LastPaymentError, "code" | "decline_code" | "message">,
): string | undefined {
  const isPlain = error.code === "card_declined" && !explained.has(error.decline_code);
  return isPlain ? undefined : error.message;
}
