import type Stripe from "stripe";
import { refusalOf } from "../rules/rules.ts";
import { newId, now, onTheWire, type StripeState } from "../state.ts";

/** The kinds of tax id that this fake knows. */
export const taxIdTypes = ["eu_vat", "gb_vat", "ch_vat", "us_ein"] as const;
type TaxIdType = (typeof taxIdTypes)[number];

const forms: Record<TaxIdType, RegExp> = {
  eu_vat: /^(AT|BE|DE|ES|FR|IE|IT|NL|PL)[0-9A-Z]{8,12}$/,
  gb_vat: /^GB\d{9}(\d{3})?$/,
  ch_vat: /^CHE-?\d{3}\.?\d{3}\.?\d{3} ?(MWST|TVA|IVA)$/,
  us_ein: /^\d{2}-\d{7}$/,
};

/** Of which kind an id is, by its form; undefined when it is none that this fake knows. */
export function taxIdType(value: string): TaxIdType | undefined {
  return taxIdTypes.find((type) => forms[type].test(value));
}

/** Adds a tax id to a customer, once. */
export function addTaxId(
  state: StripeState,
  customer: Stripe.Customer,
  type: TaxIdType,
  value: string,
): Stripe.TaxId {
  if (!forms[type].test(value)) throw refusalOf("tax-id-that-is-none", { type });
  const existing = Object.values(state.taxIds).find(
    (each) => each.customer === customer.id && each.value === value,
  );
  if (existing) return existing;
  const taxId = onTheWire<Stripe.TaxId>({
    id: newId("txi"),
    object: "tax_id",
    country: /^[A-Z]{2}/.exec(value)?.[0] ?? "US",
    created: now(),
    customer: customer.id,
    customer_account: null,
    livemode: false,
    owner: { customer: customer.id, customer_account: null, type: "customer" },
    type,
    value,
    verification: { status: "verified", verified_address: null, verified_name: null },
  });
  state.taxIds[taxId.id] = taxId;
  return taxId;
}
