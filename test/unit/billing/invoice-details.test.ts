import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  invoiceFormOptions,
  taxIdLabel,
  taxIdTypes,
} from "~/features/billing/invoice-details/form-options.server";
import {
  changedFields,
  detailErrors,
  typedDetails,
} from "~/features/billing/invoice-details/invoice-form.server";
import {
  purchaseOrderField,
  withPurchaseOrder,
} from "~/features/billing/stripe/purchase-order.server";

const form = (fields: Record<string, string>) => new URLSearchParams(fields);
const errorsOf = (fields: Record<string, string>) => detailErrors(typedDetails(form(fields)));

test("the form offers each kind of tax id that Stripe has, by its country's name", () => {
  const types = readFileSync("node_modules/stripe/esm/resources/Customers.d.ts", "utf8");
  const [, union = ""] =
    /interface CustomerCreateTaxIdParams[\s\S]*?type Type = ([^;]*);/.exec(types) ?? [];
  expect(taxIdTypes).toEqual([...union.matchAll(/'(\w+)'/g)].map(([, type]) => type));
  expect(invoiceFormOptions().taxIdTypes[0]).toEqual({
    value: "eu_vat",
    label: "European Union: VAT",
  });
  expect(taxIdLabel("ca_gst_hst")).toBe("Canada: GST HST");
  const unnamed = invoiceFormOptions().countries.filter(({ value, label }) => value === label);
  expect(unnamed).toEqual([]);
});

test("an address is whole or not given, and each thing wrong is said at its field", () => {
  expect(errorsOf({})).toEqual({});
  expect(errorsOf({ email: "accounts@example.com", company: "Okapi" })).toEqual({});
  expect(Object.keys(errorsOf({ postalCode: "10115" }))).toEqual(["country", "line1", "city"]);
  expect(errorsOf({ country: "DE", line1: "Street 1", city: "Berlin" })).toEqual({});
  expect(Object.keys(errorsOf({ country: "ZZ", line1: "Street 1", city: "Berlin" }))).toEqual([
    "country",
  ]);
  expect(Object.keys(errorsOf({ email: "accounts@" }))).toEqual(["email"]);
  expect(Object.keys(errorsOf({ purchaseOrder: "x".repeat(141) }))).toEqual(["purchaseOrder"]);
  expect(Object.keys(errorsOf({ taxId: "DE123456789" }))).toEqual(["taxIdType"]);
  expect(Object.keys(errorsOf({ taxIdType: "eu_vat" }))).toEqual(["taxId"]);
});

test("what the page showed and nobody changed is not saved, so that it does not replace what is at Stripe now", () => {
  const shown = JSON.stringify({ email: "old@example.com", company: "Okapi" });
  const posted = form({ shown, email: "old@example.com", company: "Okapi Ltd" });
  expect([...changedFields(typedDetails(posted), posted)]).toEqual(["company"]);
});

test("a purchase order leaves the operator's lines on the invoices, and goes alone", () => {
  const customer = (custom_fields: { name: string; value: string }[] | null) =>
    ({ invoice_settings: { custom_fields } }) as Parameters<typeof withPurchaseOrder>[0];
  const theirs = { name: "Supplier", value: "81" };
  const ours = { name: "Purchase order", value: "4711" };
  expect(withPurchaseOrder(customer([theirs]), "4711")).toEqual({ custom_fields: [ours, theirs] });
  expect(withPurchaseOrder(customer([ours, theirs]), "")).toEqual({ custom_fields: [theirs] });
  expect(withPurchaseOrder(customer([ours]), "")).toEqual({ custom_fields: "" });
  expect(purchaseOrderField.label.custom.length).toBeLessThanOrEqual(50);
});
