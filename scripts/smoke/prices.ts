import Stripe from "stripe";
import { type OfferKey, offerKeys } from "../../app/content/plans.ts";
import { stripeClient } from "../../app/features/billing/stripe/stripe.server.ts";
import {
  priceDifferences,
  type TaxSetting,
  taxSettings,
} from "../../app/platform/env/price-terms.ts";
import { required, type Settings, UsageError } from "../lib/settings.ts";
import { priceVariables } from "../stripe-setup/wanted.ts";
import type { Outcome } from "./smoke-test.ts";

const stripeApi = "https://api.stripe.com";

/**
 * Whether the configured prices charge at Stripe what the screens show. Reads only, and by the settings
 * that somebody keeps of a site: what the site itself was given cannot be seen from outside.
 */
export function comparePrices(settings: Settings): Promise<Outcome[]> {
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
