import { furtherOffers, type OfferKey, offerKeys, offers, type PlanKey } from "~/content/plans";

/** The plan that somebody pays for, and the time between two payments. */
export type Terms = { plan: PlanKey; interval: string; intervalCount: number };

/** A change up is paid at once; a change down waits for the end of the paid period; `same` is no change. */
export type Direction = "up" | "down" | "same";

const daysOf: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, year: 365 };

function days({ interval, intervalCount }: Terms): number {
  return (daysOf[interval] ?? 0) * intervalCount;
}

export function termsOf(offer: OfferKey): Terms {
  const { plan, interval } = offers[offer];
  return { plan, interval, intervalCount: 1 };
}

/** Up is a change to the larger plan, or to a longer interval of the same plan. */
export function directionOf(from: Terms, to: Terms): Direction {
  if (from.plan !== to.plan) return to.plan === "pro" ? "up" : "down";
  const difference = days(to) - days(from);
  return difference === 0 ? "same" : difference > 0 ? "up" : "down";
}

/** The offer with this key, as a URL or a form names it; undefined for anything else. */
export function offerNamed(word: unknown): OfferKey | undefined {
  return offerKeys.find((key) => key === word);
}

/**
 * The offers that a customer may change to, without the one they have. One who bought at sign-up is offered the
 * two prices of the sign-up dialog, everybody else the two of /pricing, so that nobody sees two prices for
 * one plan in one rhythm. A price that is not sold any more counts as one of /pricing. The other rhythms follow.
 */
export function changesFrom(
  from: Terms,
  bought: OfferKey | undefined,
): { offer: OfferKey; direction: "up" | "down" }[] {
  const pair: readonly OfferKey[] =
    bought === "monthly" || bought === "yearly" ? ["monthly", "yearly"] : ["basic", "pro"];
  return [...pair, ...furtherOffers].flatMap((offer) => {
    const direction = directionOf(from, termsOf(offer));
    return direction === "same" ? [] : [{ offer, direction }];
  });
}
