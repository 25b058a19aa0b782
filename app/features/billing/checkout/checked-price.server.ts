import type Stripe from "stripe";
import type { OfferKey } from "~/content/plans";
import type { AppContext } from "~/http/app-context";
import { priceDifferences } from "~/platform/env/price-terms";
import { log } from "~/platform/log/log.server";
import { offersOf, priceIds } from "../prices/prices";
import { isMissing } from "../stripe/stripe.server";

const rememberedMs = 5 * 60 * 1_000;
/**
 * Until when a price counts as checked, in milliseconds. It is checked again because its state and product can
 * change; amount, currency and interval of a price never change at Stripe.
 */
const remembered = new Map<string, number>();

/**
 * The id of the configured price of an offer, after a check that it charges what our screens show. Undefined
 * when it differs: then nothing may be sold, and one log line names the differences. Throws when Stripe does not
 * answer.
 */
export async function checkedPrice(
  stripe: Stripe,
  { configuration }: Pick<AppContext, "configuration">,
  offer: OfferKey,
): Promise<string | undefined> {
  const id = priceIds(configuration)[offer];
  const cacheKey = `${offer} ${id}`;
  if ((remembered.get(cacheKey) ?? 0) > Date.now()) return id;
  const price = await foundPrice(stripe, id);
  const differences = price
    ? priceDifferences(offer, price, {
        tax: configuration.STRIPE_AUTOMATIC_TAX,
        soldBy: offersOf(configuration, id),
      })
    : ["Stripe does not know it"];
  if (differences.length > 0) {
    log.error("A price at Stripe is not what we show", {
      offer,
      price: id,
      differences: differences.join(", "),
    });
    return;
  }
  remembered.set(cacheKey, Date.now() + rememberedMs);
  return id;
}

async function foundPrice(stripe: Stripe, id: string): Promise<Stripe.Price | undefined> {
  try {
    return await stripe.prices.retrieve(id, { expand: ["product"] });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
