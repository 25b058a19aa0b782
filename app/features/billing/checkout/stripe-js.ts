/**
 * Loads Stripe.js on screens that start a checkout, for Stripe's fraud signals, and only where a
 * publishable key is configured. Paying never waits for it: the hosted page is a plain address.
 */
export function loadStripeJs(publishableKey: string | undefined): void {
  if (!publishableKey) return;
  import("@stripe/stripe-js/pure")
    .then(({ loadStripe }) => loadStripe(publishableKey))
    .catch(() => undefined);
}
