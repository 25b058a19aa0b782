import type { Configuration } from "~/platform/env/configuration.server";

const stripeApi = "https://api.stripe.com";

/** The origins of the pages that Stripe hosts: checkout, customer portal and invoices. */
export function hostedPages({ STRIPE_API_URL }: Configuration): readonly string[] {
  return STRIPE_API_URL === stripeApi
    ? ["https://checkout.stripe.com", "https://billing.stripe.com", "https://invoice.stripe.com"]
    : [new URL(STRIPE_API_URL).origin];
}
