/**
 * Loads Stripe.js on screens that start a checkout, because Stripe uses it to detect fraud. Does nothing without
 * a publishable key. Nothing waits for it: a checkout is a plain redirect to Stripe's page.
 */
export function loadStripeJs(publishableKey: string | undefined): void {
  // Only a browser loads it; saying so keeps Stripe's loader out of the Worker.
  if (import.meta.env.SSR || !publishableKey) return;
  import("@stripe/stripe-js/pure")
    .then(({ loadStripe }) => loadStripe(publishableKey))
    .catch(() => undefined);
}
