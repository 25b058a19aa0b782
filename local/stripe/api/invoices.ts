import type Stripe from "stripe";
import { z } from "zod";
import { existingCustomer } from "../customers.ts";
import { noSuch } from "../errors.ts";
import { isFor } from "../flows/time.ts";
import { pageOf } from "../lists.ts";
import { paging, parameters, text } from "../parameters.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { subscriptionOf } from "./subscriptions.ts";

/** `/v1/invoices` */
export const invoiceEndpoints: Endpoint[] = [
  endpoint(
    "GET",
    "/v1/invoices",
    parameters({
      ...paging,
      customer: text.optional(),
      status: z.enum(["draft", "open", "paid", "uncollectible", "void"]).optional(),
      subscription: text.optional(),
    }),
    ({ account, params }): Stripe.ApiList<Stripe.Invoice> => {
      const { customer, subscription, status } = params;
      if (customer !== undefined && !account.state.customers[customer])
        throw noSuch("customer", customer, "customer");
      if (subscription !== undefined) subscriptionOf(account, subscription, "subscription");
      const invoices = Object.values(account.state.invoices).filter(
        (invoice) =>
          (customer === undefined || invoice.customer === customer) &&
          (status === undefined || invoice.status === status) &&
          (subscription === undefined || isFor(invoice, subscription)),
      );
      return pageOf("/v1/invoices", invoices, params);
    },
  ),

  endpoint("GET", "/v1/invoices/:id", parameters({}), ({ account, id }): Stripe.Invoice => {
    const invoice = account.state.invoices[id];
    if (!invoice) throw noSuch("invoice", id);
    return invoice;
  }),
];

/** `/v1/customers/:id/payment_methods` and the cards themselves */
export const paymentMethodEndpoints: Endpoint[] = [
  endpoint(
    "GET",
    "/v1/customers/:id/payment_methods",
    parameters({ ...paging, type: z.enum(["card"]).optional() }),
    ({ account, params, id }): Stripe.ApiList<Stripe.PaymentMethod> => {
      existingCustomer(account.state, id);
      const cards = Object.values(account.state.paymentMethods).filter(
        (card) => card.customer === id,
      );
      return pageOf(`/v1/customers/${id}/payment_methods`, cards, params);
    },
  ),
  endpoint(
    "GET",
    "/v1/payment_methods/:id",
    parameters({}),
    ({ account, id }): Stripe.PaymentMethod => {
      const card = account.state.paymentMethods[id];
      if (!card) throw noSuch("PaymentMethod", id);
      return card;
    },
  ),
];
