import type { Configuration } from "~/configuration/configuration.server";
import { type OfferKey, offerKeys, offers } from "~/content/plans";

/** The configured Stripe price of each offer. */
export function priceIds(configuration: Configuration): Record<OfferKey, string> {
  return {
    basic: configuration.STRIPE_PRICE_BASIC,
    pro: configuration.STRIPE_PRICE_PRO,
    monthly: configuration.STRIPE_PRICE_MONTHLY,
    yearly: configuration.STRIPE_PRICE_YEARLY,
  };
}

/** The price of a plan named on /pricing, in lower case; undefined when there is none. */
export function priceOfPlan(configuration: Configuration, plan: unknown): string | undefined {
  if (plan !== "basic" && plan !== "pro") return;
  return priceIds(configuration)[plan];
}

/** The offers that are configured with a price: none for a price that we do not sell. */
export function offersOf(configuration: Configuration, priceId: string): OfferKey[] {
  const ids = priceIds(configuration);
  return offerKeys.filter((offer) => ids[offer] === priceId);
}

/** The plan that a price buys. A price made by hand at Stripe belongs to no listed plan. */
export function planName(configuration: Configuration, priceId: string): string {
  const [offer] = offersOf(configuration, priceId);
  if (!offer) return "Custom";
  return offers[offer].plan === "basic" ? "Basic" : "Pro";
}
