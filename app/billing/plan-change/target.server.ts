import type Stripe from "stripe";
import { type OfferKey, offers } from "~/content/plans";
import { log } from "~/observability/log.server";
import type { RequestContext } from "~/request/request-context";
import { priceIds } from "../prices";
import type { OwnPlan } from "./own-plans.server";
import { directionOf, termsOf } from "./terms";

/** What a plan is changed to: an offer, and its configured price, which is as the offer says. */
export type Target = { offer: OfferKey; priceId: string; direction: "up" | "down" };

/** The target of a change; undefined where the offer is no change, or its price is not as we say it is. */
export async function targetOf(
  { configuration, requestId }: RequestContext,
  stripe: Stripe,
  plan: OwnPlan,
  offer: OfferKey,
): Promise<Target | undefined> {
  const direction = directionOf(plan.terms, termsOf(offer));
  if (direction === "same") return;
  const priceId = priceIds(configuration)[offer];
  const price = await stripe.prices.retrieve(priceId);
  const { amount, currency, interval } = offers[offer];
  const isAsOffered =
    price.unit_amount === amount &&
    price.currency === currency &&
    price.recurring?.interval === interval &&
    price.recurring.interval_count === 1;
  if (isAsOffered) return { offer, priceId, direction };
  log.error("A price is not as it is offered", { requestId, offer, priceId });
}
