import type Stripe from "stripe";
import { z } from "zod";
import type { Account } from "../account.ts";
import { flag } from "../parameters.ts";
import { refusalOf } from "../rules/rules.ts";

const autoOrNever = z.enum(["auto", "never"]).optional();

/** The parameters of a checkout about tax, addresses and consent. */
export const taxParameters = {
  automatic_tax: z.strictObject({ enabled: flag }).optional(),
  billing_address_collection: z.enum(["auto", "required"]).optional(),
  consent_collection: z.strictObject({ terms_of_service: z.enum(["none", "required"]) }).optional(),
  customer_update: z.strictObject({ address: autoOrNever, name: autoOrNever }).optional(),
  tax_id_collection: z
    .strictObject({ enabled: flag, required: z.enum(["if_supported", "never"]).optional() })
    .optional(),
};

type Given = Omit<z.output<z.ZodObject<typeof taxParameters>>, "billing_address_collection">;

/** Refuses what Stripe refuses: a session that collects data of a customer and may not save them on the customer. */
export function checkTaxParameters(
  account: Account,
  customer: string | undefined,
  { automatic_tax, consent_collection, customer_update, tax_id_collection }: Given,
): void {
  if (customer_update && customer === undefined) throw refusalOf("checkout-updates-no-customer");
  if (consent_collection?.terms_of_service === "required" && !account.settings.hasTerms)
    throw refusalOf("checkout-terms-without-page");
  const existing = customer === undefined ? undefined : account.state.customers[customer];
  if (!existing || existing.deleted) return;
  if (automatic_tax?.enabled && !existing.address?.country && customer_update?.address !== "auto")
    throw refusalOf("checkout-tax-without-address");
  if (tax_id_collection?.enabled && customer_update?.name !== "auto")
    throw refusalOf("checkout-tax-id-without-name");
}

/** The fields of the session for these parameters. A parameter that is missing leaves Stripe's default. */
export function taxFields({
  automatic_tax,
  consent_collection,
  tax_id_collection,
}: Given): Partial<Stripe.Checkout.Session> {
  return {
    ...(automatic_tax?.enabled
      ? {
          automatic_tax: {
            enabled: true,
            liability: { type: "self" },
            provider: "stripe",
            status: "requires_location_inputs",
          },
        }
      : {}),
    ...(consent_collection
      ? {
          consent_collection: {
            payment_method_reuse_agreement: null,
            promotions: null,
            terms_of_service: consent_collection.terms_of_service,
          },
        }
      : {}),
    ...(tax_id_collection
      ? {
          tax_id_collection: {
            enabled: tax_id_collection.enabled,
            required: tax_id_collection.required ?? "never",
          },
        }
      : {}),
  };
}
