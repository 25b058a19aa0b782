import type Stripe from "stripe";
import { z } from "zod";
import type { Account } from "../account.ts";
import { invalidRequest } from "../errors.ts";
import { flag } from "../parameters.ts";

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
  { automatic_tax, customer_update, tax_id_collection }: Given,
): void {
  if (customer_update && customer === undefined)
    throw invalidRequest("`customer_update` can only be used with `customer`.", "customer_update");
  const existing = customer === undefined ? undefined : account.state.customers[customer];
  if (!existing || existing.deleted) return;
  if (automatic_tax?.enabled && !existing.address?.country && customer_update?.address !== "auto")
    throw invalidRequest(
      "Automatic tax calculation in Checkout requires a valid address on the Customer. Add a valid address to the Customer or set either `customer_update[address]` to 'auto' or `customer_update[shipping]` to 'auto' to save the address entered in Checkout to the Customer.",
      "automatic_tax",
      "customer_tax_location_invalid",
    );
  if (tax_id_collection?.enabled && customer_update?.name !== "auto")
    throw invalidRequest(
      "Tax ID collection requires updating business name on the customer. To enable tax ID collection for an existing customer, please set `customer_update[name]` to `auto`.",
      "tax_id_collection",
    );
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
