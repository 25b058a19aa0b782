import {
  type AccountPlan,
  furtherOffers,
  type OfferKey,
  offerKeys,
  offers,
  type PlanKey,
  priceVariables,
} from "~/content/plans";
import type { Configuration } from "~/platform/env/configuration.server";

/** The settings that hold the id of a price at Stripe. */
type Prices = Pick<Configuration, (typeof priceVariables)[OfferKey]>;

/** The id of the configured Stripe price of each offer. */
export function priceIds(configuration: Prices): Record<OfferKey, string> {
  return {
    basic: configuration[priceVariables.basic],
    pro: configuration[priceVariables.pro],
    monthly: configuration[priceVariables.monthly],
    yearly: configuration[priceVariables.yearly],
    basicYearly: configuration[priceVariables.basicYearly],
    proMonthly: configuration[priceVariables.proMonthly],
  };
}

/** The price id of a plan on /pricing, "basic" or "pro"; undefined for any other value. */
export function priceOfPlan(configuration: Configuration, plan: unknown): string | undefined {
  if (plan !== "basic" && plan !== "pro") return;
  return priceIds(configuration)[plan];
}

/** The price id of an offer on the plan page of the console; undefined for any other value. */
export function priceOnPlanPage(configuration: Configuration, word: unknown): string | undefined {
  const offer = furtherOffers.find((key) => key === word);
  return offer ? priceIds(configuration)[offer] : priceOfPlan(configuration, word);
}

/** The price ids of Basic: in rows of subscriptions that name no plan any other price counts as Pro. */
export function basicPriceIds(configuration: Prices): string[] {
  const ids = priceIds(configuration);
  return offerKeys.filter((offer) => offers[offer].plan === "basic").map((offer) => ids[offer]);
}

/** The offers that are configured with a price id; empty for a price that we do not sell. */
export function offersOf(configuration: Prices, priceId: string): OfferKey[] {
  const ids = priceIds(configuration);
  return offerKeys.filter((offer) => ids[offer] === priceId);
}

/**
 * The plan of a row of `subscriptions`. Rows that an earlier version of the site wrote have no plan: the
 * configured prices decide there, and any other price counts as Pro until the subscription is synced again.
 */
export function planOfRow(
  configuration: Prices,
  { plan, price_id }: { plan: string | null; price_id: string },
): AccountPlan {
  if (plan !== null) return plan === "basic" || plan === "pro" ? plan : "none";
  return planOfPrice(configuration, price_id) ?? "pro";
}

/** The plan of a price id that we sell; undefined for any other. */
export function planOfPrice(configuration: Prices, priceId: string): PlanKey | undefined {
  const [offer] = offersOf(configuration, priceId);
  return offer && offers[offer].plan;
}
