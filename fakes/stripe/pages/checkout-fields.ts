import type Stripe from "stripe";
import type { CheckoutEntry } from "../flows/checkout.ts";
import { taxIdType } from "../objects/tax-ids.ts";
import { type Html, html } from "./page.ts";

/** What the buyer typed, as it stands in the form. */
export type Typed = Record<FieldName, string>;
/** The input of a custom field, by its key. */
const customName = (key: string) => `custom_${key}` as const;
export type FieldName =
  | "email"
  | "card"
  | "expires"
  | "country"
  | "line1"
  | "city"
  | "postal_code"
  | "business_name"
  | "tax_id"
  | "terms"
  | "promotion_code"
  | `custom_${string}`;
export type FieldError = { field: FieldName; message: string };

const names = [
  "email",
  "card",
  "expires",
  "country",
  "line1",
  "city",
  "postal_code",
  "business_name",
  "tax_id",
  "terms",
  "promotion_code",
] as const satisfies readonly FieldName[];

const countries: readonly [code: string, name: string][] = [
  ["AT", "Austria"],
  ["BE", "Belgium"],
  ["FR", "France"],
  ["DE", "Germany"],
  ["IE", "Ireland"],
  ["IT", "Italy"],
  ["NL", "Netherlands"],
  ["PL", "Poland"],
  ["ES", "Spain"],
  ["CH", "Switzerland"],
  ["GB", "United Kingdom"],
  ["US", "United States"],
];

export function readTyped(form: URLSearchParams): Typed {
  const custom = [...form.keys()].filter((name): name is FieldName => name.startsWith("custom_"));
  const entries = [...names, ...custom].map(
    (name) => [name, (form.get(name) ?? "").trim()] as const,
  );
  return Object.fromEntries(entries) as Typed;
}

/** What the session asks for beside the card. */
export function requestedFields(session: Stripe.Checkout.Session) {
  return {
    address: session.automatic_tax.enabled || session.billing_address_collection === "required",
    taxId: session.tax_id_collection?.enabled === true,
    terms: session.consent_collection?.terms_of_service === "required",
    promotionCode: session.allow_promotion_codes === true,
  };
}

/** The inputs of the custom fields. */
export function customFields(
  { custom_fields }: Stripe.Checkout.Session,
  typed: Partial<Typed>,
  error: FieldError | undefined,
): Html[] {
  return custom_fields.map(({ key, label, optional }) =>
    field(customName(key), `${label.custom}${optional ? " (optional)" : ""}`, typed, error),
  );
}

/** The address, tax id and consent that were typed, or the first thing wrong with them. */
export function readDetails(
  session: Stripe.Checkout.Session,
  typed: Typed,
): { details: Omit<CheckoutEntry, "email" | "card"> } | { error: FieldError } {
  const asks = requestedFields(session);
  const isCountry = countries.some(([code]) => code === typed.country);
  if (asks.address && !isCountry) return refused("country", "Choose your country.");
  for (const field of ["line1", "city", "postal_code"] as const)
    if (asks.address && typed[field] === "") return refused(field, "Required");
  const type = taxIdType(typed.tax_id);
  if (asks.taxId && typed.tax_id !== "" && !type)
    return refused("tax_id", "This tax ID is invalid.");
  if (asks.terms && typed.terms !== "yes")
    return refused("terms", "Please accept the terms of service to continue.");
  for (const { key, optional, text } of session.custom_fields) {
    const value = typed[customName(key)] ?? "";
    if (!optional && value === "") return refused(customName(key), "Required");
    if (value.length > (text?.maximum_length ?? 255)) return refused(customName(key), "Too long");
  }
  return {
    details: {
      custom: Object.fromEntries(
        session.custom_fields.map(({ key }) => [key, typed[customName(key)] ?? ""]),
      ),
      address: asks.address ? addressOf(typed) : undefined,
      businessName: (asks.taxId && typed.business_name) || undefined,
      taxId: asks.taxId && type ? { type, value: typed.tax_id } : undefined,
      acceptedTerms: asks.terms,
    },
  };
}

function refused(field: FieldName, message: string): { error: FieldError } {
  return { error: { field, message } };
}

/** An address as the forms of the hosted pages give it. */
export function addressOf(
  typed: Pick<Typed, "country" | "line1" | "city" | "postal_code">,
): Stripe.Address {
  return {
    city: typed.city || null,
    country: typed.country || null,
    line1: typed.line1 || null,
    line2: null,
    postal_code: typed.postal_code || null,
    state: null,
  };
}

/** A labelled input with its message. */
export function field(
  name: FieldName,
  label: string,
  typed: Partial<Typed>,
  error: FieldError | undefined,
  attributes: Html = { html: "" },
): Html {
  const message = error?.field === name ? error.message : undefined;
  const described = message ? `aria-invalid="true" aria-describedby="${name}-error"` : "";
  return html`<label for="${name}">${label}</label>
  <input id="${name}" name="${name}" value="${typed[name] ?? ""}" ${attributes} ${{ html: described }}>
  ${message && html`<p class="wrong" id="${name}-error" role="alert">${message}</p>`}`;
}

/** The fields of a billing address. */
export function addressFields(typed: Partial<Typed>, error?: FieldError): Html {
  const message = error?.field === "country" ? error.message : undefined;
  return html`<label for="country">Country</label>
  <select id="country" name="country"><option value=""></option>
  ${countries.map(
    ([code, name]) =>
      html`<option value="${code}"${{ html: code === typed.country ? " selected" : "" }}>${name}</option>`,
  )}</select>
  ${message && html`<p class="wrong" role="alert">${message}</p>`}
  ${field("line1", "Address", typed, error)}
  ${field("city", "City", typed, error)}
  ${field("postal_code", "Postal code", typed, error)}`;
}
