import * as z from "zod/mini";
import type { Database } from "~/platform/database/types";
import { dayOf } from "~/ui/dates";
import { perInterval } from "../prices/words";

export type SubscriptionRow = Database["public"]["Tables"]["subscriptions"]["Row"];

type Priced = Pick<
  SubscriptionRow,
  | "unit_amount"
  | "currency"
  | "billing_interval"
  | "interval_count"
  | "quantity"
  | "discounts"
  | "tax"
>;

/** What each renewal of a subscription costs, in words. */
export type PriceWords = {
  /** "$87.99 per month plus tax" */
  price: string;
  /** How the price comes about: the quantity, and each discount with its end. */
  details: string[];
};

const discount = z.object({
  percentOff: z.optional(z.number()),
  amountOff: z.optional(z.number()),
  endsAt: z.nullable(z.string()),
});

type Discount = z.infer<typeof discount>;

/** The price of a subscription: its amount times the quantity, less the discounts that apply at `now` (ms). */
export function priceWords(row: Priced, now: number): PriceWords {
  const { unit_amount, currency } = row;
  if (unit_amount === null) return { price: "Custom pricing", details: [] };
  const quantity = row.quantity ?? 1;
  const full = unit_amount * quantity;
  const discounts = currentDiscounts(row.discounts, now);
  const paid = discounts.reduce(lessDiscount, full);
  const every = perInterval(row.billing_interval, row.interval_count ?? 1);
  const tax = row.tax === "included" ? ", tax included" : row.tax === "added" ? " plus tax" : "";
  return {
    price: `${shortAmount(paid, currency)} ${every}${tax}`,
    details: [
      ...(quantity === 1 ? [] : [`${quantity} × ${shortAmount(unit_amount, currency)}`]),
      ...discounts.map((each) => discountWords(each, full, currency)),
    ],
  };
}

/** A price without quantity, discounts and tax, such as the price that a subscription changes to. */
export function plainPrice(
  amount: number | null,
  currency: string,
  interval: string | null,
): string | undefined {
  if (amount === null || interval === null) return undefined;
  return `${shortAmount(amount, currency)} ${perInterval(interval, 1)}`;
}

function currentDiscounts(recordedDiscounts: unknown, now: number): Discount[] {
  const read = z.array(discount).safeParse(recordedDiscounts);
  const discounts = read.success ? read.data : [];
  return discounts.filter(({ endsAt }) => endsAt === null || Date.parse(endsAt) > now);
}

/** Stripe's rule: a percentage applies to what earlier discounts left, rounded to the cent; never below zero. */
function lessDiscount(amount: number, { percentOff, amountOff }: Discount): number {
  const off = percentOff === undefined ? (amountOff ?? 0) : Math.round((amount * percentOff) / 100);
  return Math.max(0, amount - off);
}

function discountWords(each: Discount, full: number, currency: string): string {
  const { percentOff, amountOff = 0, endsAt } = each;
  const off = percentOff === undefined ? shortAmount(amountOff, currency) : `${percentOff}%`;
  const until = endsAt === null ? "" : ` until ${dayOf(endsAt)}`;
  return `${off} off ${shortAmount(full, currency)}${until}`;
}

/** Formats an amount without cents where they are zero: "$999". */
function shortAmount(amount: number, currency: string): string {
  const format = new Intl.NumberFormat("en-US", {
    style: "currency",
    currency,
    trailingZeroDisplay: "stripIfInteger",
  });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
