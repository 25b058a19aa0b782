import { type Offer, type OfferKey, offerKeys, offers } from "~/content/plans";
import type { Configuration } from "~/platform/env/configuration.server";

/** The settings that name a price. */
type Prices = Pick<
  Configuration,
  "STRIPE_PRICE_BASIC" | "STRIPE_PRICE_PRO" | "STRIPE_PRICE_MONTHLY" | "STRIPE_PRICE_YEARLY"
>;

/** The configured Stripe price of each offer. */
export function priceIds(configuration: Prices): Record<OfferKey, string> {
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
export function offersOf(configuration: Prices, priceId: string): OfferKey[] {
  const ids = priceIds(configuration);
  return offerKeys.filter((offer) => ids[offer] === priceId);
}

/** What people read as the name of a plan. */
export const planNames = { basic: "Basic", pro: "Pro" } as const;

/**
 * The plan of a record. One that former code wrote does not say it: there the configured prices decide, and
 * any other price counts as Pro, until the record is read again.
 */
export function planOfRow(
  configuration: Prices,
  { plan, price_id }: { plan: string | null; price_id: string },
): Offer["plan"] | "none" {
  if (plan !== null) return plan === "basic" || plan === "pro" ? plan : "none";
  return planOfPrice(configuration, price_id) ?? "pro";
}

/** The plan of a price that we sell; undefined for any other. */
export function planOfPrice(configuration: Prices, priceId: string): Offer["plan"] | undefined {
  const [offer] = offersOf(configuration, priceId);
  return offer && offers[offer].plan;
}
