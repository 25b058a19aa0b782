import Stripe from "stripe";
import { brand } from "../../app/content/chrome.ts";
import { type Offer, type OfferKey, offerKeys, offers } from "../../app/content/plans.ts";
import { handledEventTypes } from "../../app/features/billing/subscriptions/webhook-events.ts";
import { lookupKeyOf } from "../../app/platform/env/price-terms.ts";

/**
 * A product that we sell. Its id is chosen by us, so that a second run finds it; its metadata say which
 * plan it is, and so which rights everybody has who pays one of its prices.
 */
export type WantedProduct = { id: string; name: string; metadata: { plan: Offer["plan"] } };

/** A price, by its lookup key, and the variable that tells the site its id. */
export type WantedPrice = {
  variable: string;
  lookupKey: string;
  product: WantedProduct;
  currency: string;
  unitAmount: number;
  interval: Stripe.Price.Recurring["interval"];
};

const products: Record<Offer["plan"], WantedProduct> = {
  basic: { id: "livekit_deploy_basic", name: "Basic", metadata: { plan: "basic" } },
  pro: { id: "livekit_deploy_pro", name: "Pro", metadata: { plan: "pro" } },
};

export const wantedProducts: readonly WantedProduct[] = Object.values(products);

/** The variable that tells the site the price of an offer. */
export const priceVariables: Readonly<Record<OfferKey, string>> = {
  basic: "STRIPE_PRICE_BASIC",
  pro: "STRIPE_PRICE_PRO",
  monthly: "STRIPE_PRICE_MONTHLY",
  yearly: "STRIPE_PRICE_YEARLY",
};

/** What customers are charged: the amounts come from where the screens have them. */
export const wantedPrices: readonly WantedPrice[] = offerKeys.map(wantedPrice);

function wantedPrice(key: OfferKey): WantedPrice {
  const { plan, amount, currency, interval } = offers[key];
  return {
    variable: priceVariables[key],
    lookupKey: lookupKeyOf(key),
    product: products[plan],
    currency,
    unitAmount: amount,
    interval,
  };
}

/** Our mark on the portal configuration: its value is the site's address, so each site has its own. */
export const portalMark = "livekit_deploy_site";

/**
 * What customers may do in the portal of the site at `siteUrl`. Plans are changed in the console, which
 * says what is lost; the account has the e-mail address, since it is confirmed there.
 */
export function wantedPortal(siteUrl: string) {
  return {
    name: brand,
    business_profile: {
      headline: brand,
      privacy_policy_url: `${siteUrl}/privacy`,
      terms_of_service_url: `${siteUrl}/terms`,
    },
    default_return_url: `${siteUrl}/dashboard`,
    features: {
      // The address is the account's: it is changed and confirmed on the site, which tells Stripe.
      customer_update: { enabled: true, allowed_updates: ["address", "name", "tax_id"] },
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      subscription_cancel: {
        enabled: true,
        mode: "at_period_end",
        proration_behavior: "none",
      },
      subscription_update: { enabled: false },
    },
    // Its address would be a second way in, past our sign-in.
    login_page: { enabled: false },
    metadata: { [portalMark]: siteUrl },
  } satisfies Stripe.BillingPortal.ConfigurationCreateParams;
}

/** The webhook endpoint of the site at `siteUrl`. */
export function wantedEndpoint(siteUrl: string) {
  return {
    url: `${siteUrl}/api/stripe/webhook`,
    description: brand,
    api_version: Stripe.API_VERSION,
    enabled_events: [...handledEventTypes],
  } satisfies Stripe.WebhookEndpointCreateParams;
}
