import Stripe from "stripe";
import { handledEventTypes } from "../../app/billing/webhook-events.ts";

/** A product that we sell. Its id is chosen by us, so that a second run finds it. */
export type WantedProduct = { id: string; name: string };

/** A price, by its lookup key, and the variable that tells the site its id. */
export type WantedPrice = {
  variable: string;
  lookupKey: string;
  product: WantedProduct;
  currency: string;
  unitAmount: number;
  interval: Stripe.Price.Recurring["interval"];
};

const basic: WantedProduct = { id: "livekit_deploy_basic", name: "Basic" };
const pro: WantedProduct = { id: "livekit_deploy_pro", name: "Pro" };

export const wantedProducts: readonly WantedProduct[] = [basic, pro];

/** A visitor is charged what the screen showed: these amounts are the ones in `app/content/plans.ts`. */
export const wantedPrices: readonly WantedPrice[] = [
  {
    variable: "STRIPE_PRICE_BASIC",
    lookupKey: "livekit_deploy_basic",
    product: basic,
    currency: "usd",
    unitAmount: 10_999,
    interval: "month",
  },
  {
    variable: "STRIPE_PRICE_PRO",
    lookupKey: "livekit_deploy_pro",
    product: pro,
    currency: "usd",
    unitAmount: 99_999,
    interval: "year",
  },
  {
    variable: "STRIPE_PRICE_MONTHLY",
    lookupKey: "livekit_deploy_monthly",
    product: basic,
    currency: "usd",
    unitAmount: 10_999,
    interval: "month",
  },
  {
    variable: "STRIPE_PRICE_YEARLY",
    lookupKey: "livekit_deploy_yearly",
    product: pro,
    currency: "usd",
    unitAmount: 99_900,
    interval: "year",
  },
];

/** Our mark on the portal configuration: its value is the site's address, so each site has its own. */
export const portalMark = "livekit_deploy_site";

/** What customers may do in the portal of the site at `siteUrl`. */
export function wantedPortal(siteUrl: string) {
  return {
    name: "LiveKit Deploy",
    business_profile: {
      headline: "LiveKit Deploy",
      privacy_policy_url: `${siteUrl}/privacy`,
      terms_of_service_url: `${siteUrl}/terms`,
    },
    default_return_url: `${siteUrl}/dashboard`,
    features: {
      customer_update: { enabled: true, allowed_updates: ["email"] },
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      subscription_cancel: {
        enabled: true,
        mode: "at_period_end",
        proration_behavior: "none",
      },
    },
    metadata: { [portalMark]: siteUrl },
  } satisfies Stripe.BillingPortal.ConfigurationCreateParams;
}

/** The webhook endpoint of the site at `siteUrl`. */
export function wantedEndpoint(siteUrl: string) {
  return {
    url: `${siteUrl}/api/stripe/webhook`,
    description: "LiveKit Deploy",
    api_version: Stripe.API_VERSION,
    enabled_events: [...handledEventTypes],
  } satisfies Stripe.WebhookEndpointCreateParams;
}
