import type Stripe from "stripe";
import { z } from "zod";
import { noSuch } from "../errors.ts";
import { pageOf } from "../lists.ts";
import { changeBalance } from "../objects/credit.ts";
import { existingCustomer } from "../objects/customers.ts";
import { taxIdsOf } from "../objects/tax.ts";
import { addTaxId, taxIdTypes } from "../objects/tax-ids.ts";
import { integer, metadata, paging, parameters, text } from "../parameters.ts";
import { type Endpoint, endpoint, mergedMetadata } from "./endpoint.ts";

/** `/v1/customers/:id/balance_transactions` and `/v1/customers/:id/tax_ids` */
export const creditEndpoints: Endpoint[] = [
  endpoint(
    "POST",
    "/v1/customers/:id/balance_transactions",
    parameters({
      amount: integer,
      currency: text,
      description: text.optional(),
      metadata: metadata.optional(),
    }),
    ({ account, params, id }): Stripe.CustomerBalanceTransaction =>
      changeBalance(account, existingCustomer(account.state, id), {
        amount: params.amount,
        currency: params.currency.toLowerCase(),
        description: params.description ?? null,
        metadata: mergedMetadata({}, params.metadata),
        type: "adjustment",
      }),
  ),
  endpoint(
    "GET",
    "/v1/customers/:id/balance_transactions",
    parameters(paging),
    ({ account, params, id }): Stripe.ApiList<Stripe.CustomerBalanceTransaction> => {
      existingCustomer(account.state, id);
      const transactions = Object.values(account.state.balanceTransactions).filter(
        (each) => each.customer === id,
      );
      return pageOf(`/v1/customers/${id}/balance_transactions`, transactions, params);
    },
  ),

  endpoint(
    "POST",
    "/v1/customers/:id/tax_ids",
    parameters({ type: z.enum(taxIdTypes), value: text }),
    ({ account, params, id }): Stripe.TaxId =>
      addTaxId(account.state, existingCustomer(account.state, id), params.type, params.value),
  ),
  endpoint(
    "GET",
    "/v1/customers/:id/tax_ids",
    parameters(paging),
    ({ account, params, id }): Stripe.ApiList<Stripe.TaxId> => {
      existingCustomer(account.state, id);
      return pageOf(`/v1/customers/${id}/tax_ids`, taxIdsOf(account.state, id), params);
    },
  ),
  endpoint(
    "DELETE",
    "/v1/customers/:id/tax_ids/:taxId",
    parameters({}),
    ({ account, id, ids }): Stripe.DeletedTaxId => {
      const taxId = ids.taxId ?? "";
      if (account.state.taxIds[taxId]?.customer !== id) throw noSuch("tax id", taxId);
      delete account.state.taxIds[taxId];
      return { id: taxId, object: "tax_id", deleted: true };
    },
  ),
];
