import * as z from "zod/mini";
import { isCountry, taxIdTypes } from "./form-options.server";
import {
  type InvoiceFields,
  type InvoiceFormErrors,
  invoiceFieldLimits,
  invoiceFieldNames,
  type TypedDetails,
} from "./invoice-details";

const email = z.email();
const shownFields = z.partialRecord(z.enum(invoiceFieldNames), z.string());

/** The form as it was typed, in one line each: line breaks and other control characters become spaces. */
export function typedDetails(form: URLSearchParams): TypedDetails {
  const line = (name: string) => (form.get(name) ?? "").replace(/\p{Cc}+/gu, " ").trim();
  return {
    email: line("email"),
    company: line("company"),
    purchaseOrder: line("purchaseOrder"),
    country: line("country"),
    line1: line("line1"),
    line2: line("line2"),
    city: line("city"),
    state: line("state"),
    postalCode: line("postalCode"),
    taxIdType: line("taxIdType"),
    taxId: line("taxId"),
  };
}

/**
 * The fields that differ from those that the page showed. Only these are saved: what was set at Stripe since the page
 * was loaded stays.
 */
export function changedFields(
  typed: TypedDetails,
  form: URLSearchParams,
): ReadonlySet<keyof InvoiceFields> {
  const shown = shownFields.safeParse(parsed(form.get("shown")));
  return new Set(
    invoiceFieldNames.filter((name) => !shown.success || typed[name] !== (shown.data[name] ?? "")),
  );
}

function parsed(json: string | null): unknown {
  try {
    return JSON.parse(json ?? "");
  } catch {
    return;
  }
}

/** What is wrong with what was typed, by field; empty when nothing is. */
export function detailErrors(typed: TypedDetails): InvoiceFormErrors {
  const errors: InvoiceFormErrors = {};
  for (const name of invoiceFieldNames) {
    const max = invoiceFieldLimits[name];
    if (typed[name].length > max) errors[name] = `Use at most ${max} characters.`;
  }
  if (typed.email !== "" && !email.safeParse(typed.email).success) {
    errors.email = "Enter an e-mail address, such as accounts@example.com.";
  }
  const { country, line1, line2, city, state, postalCode } = typed;
  if (country !== "" && !isCountry(country)) errors.country = "Choose a country from the list.";
  if (country + line1 + line2 + city + state + postalCode !== "") {
    if (country === "") errors.country = "Choose the country of the address.";
    if (line1 === "") errors.line1 = "Enter the street and number.";
    if (city === "") errors.city = "Enter the city.";
  }
  if (typed.taxId !== "" && !taxIdTypes.includes(typed.taxIdType)) {
    errors.taxIdType = "Choose which kind of tax ID it is.";
  }
  if (typed.taxId === "" && typed.taxIdType !== "") errors.taxId = "Enter the tax ID.";
  if (typed.taxId.length > 60) errors.taxId = "Use at most 60 characters.";
  return errors;
}
