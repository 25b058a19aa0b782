import Stripe from "stripe";
import type { AppContext } from "~/http/app-context";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import { auditIntent } from "../audit-intent.server";
import {
  isOfPurchaseOrder,
  purchaseOrderOf,
  withPurchaseOrder,
} from "../stripe/purchase-order.server";
import { stripeClient } from "../stripe/stripe.server";
import {
  billingContactOf,
  ensureCustomer,
  existingCustomersOf,
  type Holder,
} from "../subscriptions/customers.server";
import { syncSubscription } from "../subscriptions/sync-subscription.server";
import { taxIdLabel } from "./form-options.server";
import type {
  InvoiceDetails,
  InvoiceFields,
  InvoiceFormErrors,
  RefusedDetails,
  TypedDetails,
} from "./invoice-details";
import { changedFields, detailErrors, typedDetails } from "./invoice-form.server";

/** What is on the next invoices of a customer. `taxIds` is expanded by `detailsExpanded`, or listed. */
export function detailsOf(customer: Stripe.Customer): InvoiceDetails {
  const { address } = customer;
  return {
    fields: {
      email: customer.email ?? "",
      company: customer.name ?? "",
      purchaseOrder: purchaseOrderOf(customer) ?? "",
      country: address?.country ?? "",
      line1: address?.line1 ?? "",
      line2: address?.line2 ?? "",
      city: address?.city ?? "",
      state: address?.state ?? "",
      postalCode: address?.postal_code ?? "",
    },
    taxIds: (customer.tax_ids?.data ?? []).map(({ id, type, value, verification }) => ({
      id,
      label: taxIdLabel(type),
      value,
      check: checks.get(verification?.status ?? "") ?? "",
    })),
  };
}

/** What a read of a customer must expand for `detailsOf`. */
export const detailsExpanded = "tax_ids";

const checks: ReadonlyMap<string, string> = new Map([
  ["pending", "Stripe is checking it."],
  ["verified", "It is confirmed."],
  ["unverified", "The register does not know it."],
]);

export type SaveOutcome =
  | { ok: true }
  | { ok: false; refused?: RefusedDetails; status: 400 | 404 | 502 };

/**
 * Saves what the form says at Stripe, where it is on every invoice from then on. Without a customer in the form it is
 * saved for the customer that the workspace buys with, which is created if there is none. Never throws.
 */
export async function saveInvoiceDetails(
  context: AppContext,
  holder: Holder,
  form: URLSearchParams,
): Promise<SaveOutcome> {
  const typed = typedDetails(form);
  const requested = form.get("customer");
  const refusal = (errors: InvoiceFormErrors): SaveOutcome => ({
    ok: false,
    status: 400,
    refused: { customer: requested, typed, errors },
  });
  const errors = detailErrors(typed);
  if (Object.keys(errors).length > 0) return refusal(errors);
  try {
    const { configuration, caller } = context;
    const stripe = stripeClient(configuration);
    const database = serviceClient(configuration, caller);
    const customers = await existingCustomersOf(database, holder);
    if (requested && !customers.includes(requested)) return { ok: false, status: 404 };
    await auditIntent(context, holder, "billing.details-changed");
    const customer = requested ?? (await ensureCustomer(stripe, database, holder));
    const email = typed.email || ((await billingContactOf(database, holder)) ?? "");
    const problems = await save(stripe, customer, { ...typed, email }, form);
    await recordNow(context, customer);
    return problems ? refusal(problems) : { ok: true };
  } catch (error) {
    log.error("Invoice details were not saved", describeError(error));
    return { ok: false, status: 502, refused: { customer: requested, typed, errors: {} } };
  }
}

/** Answers what Stripe refused, by field. The tax id comes first: Stripe checks its form, and the rest then waits. */
async function save(
  stripe: Stripe,
  id: string,
  typed: TypedDetails,
  form: URLSearchParams,
): Promise<InvoiceFormErrors | undefined> {
  const customer = await stripe.customers.retrieve(id, { expand: [detailsExpanded] });
  if (customer.deleted) throw new Error("The customer was deleted");
  const taxIds = customer.tax_ids?.data ?? [];
  const { taxIdType: type, taxId: value } = typed;
  const isListed = taxIds.some((each) => each.type === type && each.value === value);
  if (value !== "" && !isListed) {
    try {
      await stripe.customers.createTaxId(id, { type, value });
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
      log.warn("Stripe did not take a tax id", describeError(error));
      return {
        taxId: `Stripe does not take this for ${taxIdLabel(type)}. Look at each character.`,
      };
    }
  }
  for (const { id: taxId } of taxIds) {
    if (form.has(`remove-${taxId}`)) await stripe.customers.deleteTaxId(id, taxId);
  }
  const changed = changedFields(typed, form);
  if (changed.size === 0) return;
  try {
    await stripe.customers.update(id, changesOf(customer, typed, changed));
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    log.warn("Stripe did not take invoice details", describeError(error));
    if (error.param === "email") return { email: "Stripe does not take this address." };
    if (isOfPurchaseOrder(error))
      return {
        purchaseOrder: "Stripe has no room for it on your invoices. Write to us on /contact.",
      };
    throw error;
  }
}

const addressFields: readonly (keyof InvoiceFields)[] = [
  "country",
  "line1",
  "line2",
  "city",
  "state",
  "postalCode",
];

/** What is sent to Stripe. An empty text clears a field there; without an address there is none to mail invoices to. */
function changesOf(
  customer: Stripe.Customer,
  typed: TypedDetails,
  changed: ReadonlySet<keyof InvoiceFields>,
): Stripe.CustomerUpdateParams {
  const { country, line1, line2, city, state, postalCode: postal_code } = typed;
  const address = { country, line1, line2, city, state, postal_code };
  return {
    ...(changed.has("email") && { email: typed.email }),
    ...(changed.has("company") && { name: typed.company }),
    ...(addressFields.some((name) => changed.has(name)) && {
      address: country === "" ? "" : address,
    }),
    ...(changed.has("purchaseOrder") && {
      invoice_settings: withPurchaseOrder(customer, typed.purchaseOrder),
    }),
  };
}

/** The webhook does the same a moment later. */
async function recordNow({ configuration }: AppContext, customer: string): Promise<void> {
  try {
    await syncSubscription(configuration, customer);
  } catch (error) {
    log.warn("Invoice details are recorded later", describeError(error));
  }
}
