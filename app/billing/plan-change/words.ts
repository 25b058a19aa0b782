import type { Refusal } from "./outcome";

/** What a cancelled plan still costs: an invoice that is open stays due. */
export function notRenewedWords({ blocked }: { blocked: Refusal | undefined }): string {
  return blocked === "pay-first"
    ? "It does not renew, but the open invoice is still due."
    : "You are not charged again.";
}

/** An amount in the smallest unit of its currency, with its cents: it is about to be paid. */
export function exactAmount(amount: number, currency: string): string {
  const format = new Intl.NumberFormat("en-US", { style: "currency", currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amount / 10 ** digits);
}

/** A day in UTC, so that server and browser agree. */
export function dayOf(seconds: number): string {
  return new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" }).format(
    new Date(seconds * 1_000),
  );
}

/** A moment in UTC, for what ends within a day. */
export function momentOf(seconds: number): string {
  const time = new Intl.DateTimeFormat("en-US", {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  });
  return `${time.format(new Date(seconds * 1_000))} UTC`;
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

export type ShownCard = { brand: string; last4: string };

/** "Visa ending in 4242". */
export function cardWords({ brand, last4 }: ShownCard): string {
  return `${brands.get(brand) ?? "card"} ending in ${last4}`;
}

/** "a", "a and b", "a, b and c". */
export function listed(names: readonly string[]): string {
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
