/** Formats an amount, which is in the smallest unit of its currency, always with cents: "$999.00". */
export function exactAmount(amount: number, currency: string): string {
  const format = new Intl.NumberFormat("en-US", { style: "currency", currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

/** "per month", "every 3 months". */
export function perInterval(interval: string, count: number): string {
  return count === 1 ? `per ${interval}` : `every ${count} ${interval}s`;
}

const brands: ReadonlyMap<string, string> = new Map([
  ["amex", "American Express"],
  ["diners", "Diners Club"],
  ["discover", "Discover"],
  ["jcb", "JCB"],
  ["mastercard", "Mastercard"],
  ["unionpay", "UnionPay"],
  ["visa", "Visa"],
]);

export type Card = { brand: string; last4: string };

/** "Visa ending in 4242", within a sentence. */
export function cardWords({ brand, last4 }: Card): string {
  return `${brands.get(brand) ?? "card"} ending in ${last4}`;
}

/** A payment method, in the columns of our tables: a card, or another kind, which has no digits. */
export type PaymentMethod = {
  card_brand: string | null;
  card_last4: string | null;
  /** The last day on which it works, as "2027-03-31". */
  card_expires_at: string | null;
};

/** A payment method in words, such as "Visa ending in 4242"; undefined when there is none. */
export function methodWords({ card_brand, card_last4 }: PaymentMethod): string | undefined {
  if (card_brand === null) return;
  if (card_last4 === null) return `Paid by ${card_brand.replaceAll("_", " ")}`;
  return `${brands.get(card_brand) ?? "Card"} ending in ${card_last4}`;
}

/** Whether the last day of a card is over; `now` is in milliseconds. */
export function hasExpired({ card_expires_at }: PaymentMethod, now: number): boolean {
  return card_expires_at !== null && Date.parse(`${card_expires_at}T23:59:59Z`) < now;
}
