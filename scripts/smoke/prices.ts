import Stripe from "stripe";
import { type OfferKey, offerKeys, priceVariables } from "../../app/content/plans.ts";
import { stripeClient } from "../../app/features/billing/stripe/stripe.server.ts";
import {
  priceDifferences,
  type TaxSetting,
  taxSettings,
} from "../../app/platform/env/price-terms.ts";
import { required, type Settings, UsageError } from "../lib/settings.ts";
import type { CheckResult } from "./smoke-test.ts";

const stripeApi = "https://api.stripe.com";

/**
 * Compares the configured prices at Stripe with the amounts on the screens. It only reads. The price ids come
 * from the settings of the person who runs this, because a site does not show its own variables to anybody.
 */
export function comparePrices(settings: Settings): Promise<CheckResult[]> {
  const given = settings("STRIPE_AUTOMATIC_TAX") ?? "off";
  const tax = taxSettings.find((setting) => setting === given);
  if (!tax) throw new UsageError(`STRIPE_AUTOMATIC_TAX must be off, included or added.`);
  const stripe = stripeClient({
    STRIPE_API_URL: settings("STRIPE_API_URL") ?? stripeApi,
    STRIPE_SECRET_KEY: required(settings, "STRIPE_SECRET_KEY"),
  });
  const ids = new Map(
    offerKeys.map((offer) => [offer, required(settings, priceVariables[offer])] as const),
  );
  return Promise.all(
    [...ids].map(async ([offer, id]) => {
      const soldBy = offerKeys.filter((other) => ids.get(other) === id);
      return {
        promise: `${priceVariables[offer]} charges what the site shows`,
        problem: await problemWith(stripe, offer, id, { tax, soldBy }),
      };
    }),
  );
}

async function problemWith(
  stripe: Stripe,
  offer: OfferKey,
  id: string,
  terms: { tax: TaxSetting; soldBy: readonly OfferKey[] },
): Promise<string | undefined> {
  try {
    const price = await stripe.prices.retrieve(id, { expand: ["product"] });
    const differences = priceDifferences(offer, price, terms);
    return differences.length > 0 ? `${id} has ${differences.join(", ")}` : undefined;
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    return `${id} could not be read: ${error.message}`;
  }
}
