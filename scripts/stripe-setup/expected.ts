import Stripe from "stripe";
import { brand } from "../../app/content/chrome.ts";
import {
  lookupKeyOf,
  type OfferKey,
  offerKeys,
  offers,
  type PlanKey,
  planKeys,
  planNames,
  priceVariables,
} from "../../app/content/plans.ts";
import { handledEventTypes } from "../../app/features/billing/subscriptions/webhook-events.ts";

/**
 * A product that we sell. We choose its id, so that a second run finds the product again. Its metadata name
 * the plan: a customer who pays one of its prices has the rights of that plan.
 */
export type ExpectedProduct = { id: string; name: string; metadata: { plan: PlanKey } };

/** A price with its lookup key, and the variable in which the site expects the price's id. */
export type ExpectedPrice = {
  variable: string;
  lookupKey: string;
  product: ExpectedProduct;
  currency: string;
  unitAmount: number;
  interval: Stripe.Price.Recurring["interval"];
};

function expectedProduct(plan: PlanKey): ExpectedProduct {
  return { id: `livekit_deploy_${plan}`, name: planNames[plan], metadata: { plan } };
}

export const expectedProducts: readonly ExpectedProduct[] = planKeys.map(expectedProduct);

/** The prices that customers are charged, with the amounts that the screens show. */
export const expectedPrices: readonly ExpectedPrice[] = offerKeys.map(expectedPrice);

function expectedPrice(key: OfferKey): ExpectedPrice {
  const { plan, amount, currency, interval } = offers[key];
  return {
    variable: priceVariables[key],
    lookupKey: lookupKeyOf(key),
    product: expectedProduct(plan),
    currency,
    unitAmount: amount,
    interval,
  };
}

/** The metadata key that marks a portal configuration as ours. Its value is the origin of the site. */
export const portalMark = "livekit_deploy_site";

/**
 * What customers may do in Stripe's portal of the site at `siteUrl`. Plans are not changed there but in the
 * console, which says what a customer loses. What is on invoices is not changed there either: it is a form of Billing.
 */
export function expectedPortal(siteUrl: string) {
  return {
    name: brand,
    business_profile: {
      headline: brand,
      privacy_policy_url: `${siteUrl}/privacy`,
      terms_of_service_url: `${siteUrl}/terms`,
    },
    default_return_url: `${siteUrl}/dashboard`,
    features: {
      customer_update: { enabled: false },
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      subscription_cancel: {
        enabled: true,
        mode: "at_period_end",
        proration_behavior: "none",
      },
      subscription_update: { enabled: false },
    },
    // Stripe's own login page would be a second way in, past our sign-in.
    login_page: { enabled: false },
    metadata: { [portalMark]: siteUrl },
  } satisfies Stripe.BillingPortal.ConfigurationCreateParams;
}

/** The webhook endpoint of the site at `siteUrl`. */
export function expectedEndpoint(siteUrl: string) {
  return {
    url: `${siteUrl}/api/stripe/webhook`,
    description: brand,
    api_version: Stripe.API_VERSION,
    enabled_events: [...handledEventTypes],
  } satisfies Stripe.WebhookEndpointCreateParams;
}
