// Node also runs this file, for `scripts/smoke` and `scripts/stripe-setup`: so imports at run time name the file's
// ending.
import type Stripe from "stripe";
import { lookupKeyOf, type OfferKey, offerKeys, offers } from "../../content/plans.ts";

/** Whether tax is calculated at Stripe, and whether the amounts on our screens include it. */
export const taxSettings = ["off", "included", "added"] as const;
export type TaxSetting = (typeof taxSettings)[number];

/** What Stripe calls an amount that includes tax, or to which tax is added. */
export const taxBehaviors = { included: "inclusive", added: "exclusive" } as const;

/**
 * How a price at Stripe differs from what the screens say of an offer, such as "amount 99999 instead of
 * 10999" (in cents); empty when nothing differs. `soldBy` lists the offers that are configured with this
 * price. The plan is only compared when the price's product is expanded.
 */
export function priceDifferences(
  offer: OfferKey,
  price: Stripe.Price,
  { tax, soldBy }: { tax: TaxSetting; soldBy: readonly OfferKey[] },
): string[] {
  const { plan, amount, currency, interval } = offers[offer];
  const { recurring, product } = price;
  const isPlain = price.transform_quantity === null && recurring?.usage_type === "licensed";
  const marked =
    typeof product === "object" && !product.deleted ? product.metadata.plan : undefined;
  // Two prices with equal terms may be swapped in the settings; only their lookup keys show it. A price that is
  // configured for two offers has the lookup key of one of them, which is no difference.
  const named = offerKeys.find((key) => price.lookup_key === lookupKeyOf(key));
  return differences([
    ["state", price.active ? "active" : "archived", "active"],
    ["amount", isPlain ? price.unit_amount : null, amount],
    ["currency", price.currency, currency],
    ["interval", intervalWords(recurring), interval],
    ["plan", marked ?? plan, plan],
    ["offer", named && !soldBy.includes(named) ? named : offer, offer],
    ...(tax === "off" ? [] : [["tax", price.tax_behavior, taxBehaviors[tax]] as const]),
  ]);
}

type Compared = readonly [what: string, found: unknown, shown: unknown];

/** One text for each value that differs from what is shown. */
export function differences(compared: readonly Compared[]): string[] {
  return compared
    .filter(([, found, expected]) => found !== expected)
    .map(([what, found, expected]) => `${what} ${found} instead of ${expected}`);
}

/** The time between two charges, such as "year" or "3 months"; "once" for a price that is charged once. */
export function intervalWords(recurring: Stripe.Price.Recurring | null | undefined): string {
  if (!recurring) return "once";
  const { interval, interval_count } = recurring;
  return interval_count === 1 ? interval : `${interval_count} ${interval}s`;
}
