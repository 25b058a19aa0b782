import type Stripe from "stripe";
import type { OfferKey } from "~/content/plans";
import type { AppContext } from "~/http/app-context";
import { checkedPrice } from "../checkout/checked-price.server";
import type { StripePlan } from "./stripe-plans.server";
import { directionOf, termsOf } from "./terms";

/** What a plan is changed to: an offer and the id of its checked price. */
export type Target = { offer: OfferKey; priceId: string; direction: "up" | "down" };

/** The target of a change; undefined when the offer is no change, or its price differs from what we show. */
export async function targetOf(
  context: AppContext,
  stripe: Stripe,
  plan: StripePlan,
  offer: OfferKey,
): Promise<Target | undefined> {
  const direction = directionOf(plan.terms, termsOf(offer));
  if (direction === "same") return;
  const priceId = await checkedPrice(stripe, context, offer);
  return priceId === undefined ? undefined : { offer, priceId, direction };
}
