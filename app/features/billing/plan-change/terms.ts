import { type OfferKey, offers } from "~/content/plans";

/** What somebody pays for, and how far apart their payments are. */
export type Terms = { plan: "basic" | "pro"; interval: string; intervalCount: number };

/** Upwards is paid at once; downwards waits for the end of what is paid for; `same` is no change. */
export type Direction = "up" | "down" | "same";

const daysOf: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, year: 365 };

function days({ interval, intervalCount }: Terms): number {
  return (daysOf[interval] ?? 0) * intervalCount;
}

export function termsOf(offer: OfferKey): Terms {
  const { plan, interval } = offers[offer];
  return { plan, interval, intervalCount: 1 };
}

/** The larger plan is up; within a plan the longer interval is. */
export function directionOf(from: Terms, to: Terms): Direction {
  if (from.plan !== to.plan) return to.plan === "pro" ? "up" : "down";
  const difference = days(to) - days(from);
  return difference === 0 ? "same" : difference > 0 ? "up" : "down";
}

/** The offer that a word in an address or a form names. */
export function offerNamed(word: unknown): OfferKey | undefined {
  return keys.find((key) => key === word);
}

const keys = ["basic", "pro", "monthly", "yearly"] as const;

/**
 * The offers that somebody may change to. Who bought on /pricing stays with its two, who bought at sign-up
 * with those, so that nobody finds two prices for one plan. A price of the past counts as one of /pricing.
 */
export function changesFrom(
  from: Terms,
  bought: OfferKey | undefined,
): { offer: OfferKey; direction: "up" | "down" }[] {
  const pair: readonly OfferKey[] =
    bought === "monthly" || bought === "yearly" ? ["monthly", "yearly"] : ["basic", "pro"];
  return pair.flatMap((offer) => {
    const direction = directionOf(from, termsOf(offer));
    return direction === "same" ? [] : [{ offer, direction }];
  });
}

/** The plan's name on screens. */
export function planTitle(plan: "basic" | "pro"): "Basic" | "Pro" {
  return plan === "pro" ? "Pro" : "Basic";
}
