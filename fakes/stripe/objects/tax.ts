import type Stripe from "stripe";
import type { StripeState } from "../state.ts";

/** The account's own country: elsewhere in the Union a business pays the tax itself. */
const accountCountry = "DE";

/** Where the account collects tax, and how many percent of a price it is there. Elsewhere it collects none. */
const rates: ReadonlyMap<string, number> = new Map([
  ["AT", 20],
  ["BE", 21],
  ["CH", 8.1],
  ["DE", 19],
  ["ES", 21],
  ["FR", 20],
  ["GB", 20],
  ["IE", 23],
  ["IT", 22],
  ["NL", 21],
  ["PL", 23],
]);

export type TaxReason = "standard_rated" | "reverse_charge" | "not_collecting" | "customer_exempt";

/** What is collected from a customer: percent, and why. Undefined when nobody knows where they are. */
export function taxFor(
  state: StripeState,
  customer: Pick<Stripe.Customer, "id" | "address" | "tax_exempt">,
): { percent: number; reason: TaxReason } | undefined {
  const country = customer.address?.country;
  if (!country) return undefined;
  if (customer.tax_exempt === "exempt") return { percent: 0, reason: "customer_exempt" };
  const percent = rates.get(country);
  if (percent === undefined) return { percent: 0, reason: "not_collecting" };
  const isBusiness = taxIdsOf(state, customer.id).some(({ type }) => type === "eu_vat");
  const reversed = customer.tax_exempt === "reverse" || (isBusiness && country !== accountCountry);
  return reversed
    ? { percent: 0, reason: "reverse_charge" }
    : { percent, reason: "standard_rated" };
}

/** A customer's tax ids, oldest first. */
export function taxIdsOf(state: StripeState, customer: string): Stripe.TaxId[] {
  return Object.values(state.taxIds).filter((each) => each.customer === customer);
}

/** The tax in, or on top of, an amount. */
export function taxOn(amount: number, percent: number, behavior: "inclusive" | "exclusive") {
  return behavior === "exclusive"
    ? Math.round((amount * percent) / 100)
    : amount - Math.round(amount / (1 + percent / 100));
}

/** A price that does not say is taxed on top, as an account in US dollars does by default. */
export function behaviorOf(price: Stripe.Price | undefined): "inclusive" | "exclusive" {
  return price?.tax_behavior === "inclusive" ? "inclusive" : "exclusive";
}
