import Stripe from "stripe";

/** Whether Stripe refused because another request for the same thing is under way, or had its key. */
export function isContention(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeIdempotencyError ||
    (error instanceof Stripe.errors.StripeError &&
      (error.statusCode === 409 || error.code === "lock_timeout"))
  );
}

/** Whether Stripe refused what was asked for: nothing was done, and asking again is answered the same. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && !isContention(error);
}
