/** The fields of the form, as text. Each is empty where Stripe has nothing, or nothing was typed. */
export type InvoiceFields = Record<(typeof invoiceFieldNames)[number], string>;

export const invoiceFieldNames = [
  "email",
  "company",
  "purchaseOrder",
  "country",
  "line1",
  "line2",
  "city",
  "state",
  "postalCode",
] as const;

/** Stripe takes 140 characters in a line of its invoices; the other limits are ours. */
export const invoiceFieldLimits: Readonly<Record<keyof InvoiceFields, number>> = {
  email: 254,
  company: 150,
  purchaseOrder: 140,
  country: 2,
  line1: 200,
  line2: 200,
  city: 100,
  state: 100,
  postalCode: 20,
};

/** A tax id that is on a customer's invoices. */
export type InvoiceTaxId = { id: string; label: string; value: string; check: string };

/** What is on the next invoices of a customer, as Stripe has it. */
export type InvoiceDetails = { fields: InvoiceFields; taxIds: InvoiceTaxId[] };

export const noInvoiceDetails: InvoiceDetails = {
  fields: {
    email: "",
    company: "",
    purchaseOrder: "",
    country: "",
    line1: "",
    line2: "",
    city: "",
    state: "",
    postalCode: "",
  },
  taxIds: [],
};

/** What was typed into the form: a new tax id too. */
export type TypedDetails = InvoiceFields & { taxIdType: string; taxId: string };
export type InvoiceFormErrors = Partial<Record<keyof TypedDetails, string>>;

/** A form that was refused: for which customer, what was typed, and what is wrong with it. */
export type RefusedDetails = {
  customer: string | null;
  typed: TypedDetails;
  errors: InvoiceFormErrors;
};

/** The options of the form's two selects. */
export type InvoiceFormOptions = Record<
  "countries" | "taxIdTypes",
  { value: string; label: string }[]
>;
