import Stripe from "stripe";
import { expect, test } from "vitest";
import { savePurchaseOrder } from "../../../app/features/billing/stripe/purchase-order.server.ts";

test("a purchase order for which Stripe has no room refuses no purchase", async () => {
  const updated: string[] = [];
  const stripe = {
    customers: {
      retrieve: async () => ({ invoice_settings: { custom_fields: [] } }),
      update: async () => {
        throw new Stripe.errors.StripeInvalidRequestError({
          type: "invalid_request_error",
          message: "Array invoice_settings[custom_fields] exceeded maximum 4 allowed elements.",
          param: "invoice_settings[custom_fields]",
        });
      },
    },
    checkout: { sessions: { update: async (id: string) => updated.push(id) } },
  } as unknown as Stripe;
  const session = {
    id: "cs_1",
    customer: "cus_1",
    status: "complete",
    metadata: {},
    custom_fields: [{ key: "purchaseorder", text: { value: "PO 1" } }],
  } as unknown as Stripe.Checkout.Session;
  await expect(savePurchaseOrder(stripe, session)).resolves.toBeUndefined();
  expect(updated).toEqual([]);
});
