import Stripe from "stripe";
import { describeError } from "~/platform/log/log.server";

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

/**
 * What the log says of a refusal of Stripe's. Many carry no code: then the parameter that Stripe refuses says what it
 * is about.
 */
export function describeRefusal(error: unknown) {
  const param = error instanceof Stripe.errors.StripeError ? error.param : undefined;
  return { ...describeError(error), param };
}

/**
 * Why a card did not pay, by Stripe's code. Stripe's own sentences stay out: some begin with the words "Your card was
 * declined", which the page has said already.
 */
const reasons: ReadonlyMap<string | undefined, string> = new Map([
  ["authentication_required", "Your bank asks you to confirm the payment, and that was not done."],
  ["card_not_supported", "Your card does not support this kind of purchase."],
  ["card_velocity_exceeded", "Your card has reached its limit."],
  ["currency_not_supported", "Your card cannot pay in this currency."],
  ["expired_card", "Your card has expired."],
  ["incorrect_cvc", "Your card's security code is incorrect."],
  ["insufficient_funds", "Your card has insufficient funds."],
  ["processing_error", "The payment could not be processed. Try again in a few minutes."],
]);

/** What is known beyond that the card was declined; undefined where its bank says no more. */
export function declineReason({
  code,
  decline_code,
}: Pick<Stripe.PaymentIntent.LastPaymentError, "code" | "decline_code">): string | undefined {
  return reasons.get(decline_code) ?? reasons.get(code);
}
