import type { Configuration } from "~/configuration/configuration.server";

/** What can be bought: two plans on /pricing, two options in the sign-up dialog. */
export type PriceKey = "basic" | "pro" | "monthly" | "yearly";

/** The configured Stripe price of each key. */
export function priceIds(configuration: Configuration): Record<PriceKey, string> {
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

/** Whether an id from a request is one of the prices that we sell. */
export function isSold(configuration: Configuration, priceId: string): boolean {
  return Object.values(priceIds(configuration)).includes(priceId);
}

/** The plan that a price buys. A price made by hand at Stripe belongs to no listed plan. */
export function planName(configuration: Configuration, priceId: string): string {
  const { basic, monthly, pro, yearly } = priceIds(configuration);
  if (priceId === basic || priceId === monthly) return "Basic";
  if (priceId === pro || priceId === yearly) return "Pro";
  return "Custom";
}
