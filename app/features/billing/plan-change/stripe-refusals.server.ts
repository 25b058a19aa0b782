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
