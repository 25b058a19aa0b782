import type Stripe from "stripe";
import { z } from "zod";
import type { Account } from "../account.ts";
import { cardRefusal, invalidRequest, noSuch } from "../errors.ts";
import { sendDraft } from "../flows/by-invoice.ts";
import { payInvoice, voidInvoice } from "../flows/pending-update.ts";
import { pageOf } from "../lists.ts";
import { cardThatIs } from "../objects/cards.ts";
import { attachCard, existingCustomer } from "../objects/customers.ts";
import { isFor } from "../objects/invoices.ts";
import { flag, paging, parameters, text } from "../parameters.ts";
import { refusalOf } from "../rules/rules.ts";
import { type CardBehaviour, idOf, now } from "../state.ts";
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

  endpoint("GET", "/v1/invoices/:id", parameters({}), ({ account, id }) => invoiceOf(account, id)),

  endpoint(
    "POST",
    "/v1/invoices/:id/finalize",
    parameters({ auto_advance: flag.optional() }),
    ({ account, id }): Stripe.Invoice => {
      const invoice = invoiceOf(account, id);
      const subscription = invoice.parent?.subscription_details?.subscription;
      if (invoice.status !== "draft" || !subscription)
        throw invalidRequest("This invoice is already finalized, you can't re-finalize it.");
      sendDraft(account, subscriptionOf(account, idOf(subscription)), invoice);
      return invoice;
    },
  ),

  endpoint(
    "POST",
    "/v1/invoices/:id/pay",
    parameters({ off_session: flag.optional(), payment_method: text.optional() }),
    ({ account, params, id }): Stripe.Invoice => {
      const invoice = invoiceOf(account, id);
      if (invoice.status === "paid")
        throw invalidRequest("Invoice is already paid", undefined, "invoice_already_paid");
      if (invoice.status !== "open")
        throw invalidRequest(
          `This invoice can no longer be paid: its status is \`${invoice.status}\`.`,
          undefined,
          "invoice_not_editable",
        );
      const card = params.payment_method
        ? account.state.paymentMethods[params.payment_method]
        : undefined;
      if (params.payment_method && card?.customer !== invoice.customer)
        throw noSuch("PaymentMethod", params.payment_method, "payment_method");
      const outcome = payInvoice(account, invoice, { card });
      if (outcome === "declined") throw cardRefusal("card_declined");
      if (outcome !== "paid") throw cardRefusal("invoice_payment_intent_requires_action");
      return invoice;
    },
  ),

  endpoint("POST", "/v1/invoices/:id/void", parameters({}), ({ account, id }): Stripe.Invoice => {
    const invoice = invoiceOf(account, id);
    if (invoice.status === "paid") throw refusalOf("void-of-a-paid-invoice");
    if (invoice.status !== "open") throw refusalOf("void-of-a-closed-invoice");
    voidInvoice(account, invoice, now());
    return invoice;
  }),
];

function invoiceOf(account: Account, id: string): Stripe.Invoice {
  const invoice = account.state.invoices[id];
  if (!invoice) throw noSuch("invoice", id);
  return invoice;
}

/** Stripe's names for cards of test mode. Attaching one makes a new payment method each time. */
const testMethods: Readonly<Record<string, CardBehaviour>> = {
  pm_card_visa: "good",
  pm_card_chargeCustomerFail: "failing",
  pm_card_authenticationRequired: "authenticating",
};

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
    "POST",
    "/v1/payment_methods/:id/attach",
    parameters({ customer: text }),
    ({ account, params, id }): Stripe.PaymentMethod => {
      const customer = existingCustomer(account.state, params.customer, "customer");
      const behaviour = testMethods[id];
      if (!behaviour) throw noSuch("PaymentMethod", id);
      const card = attachCard(account.state, customer, cardThatIs(behaviour));
      account.record("payment_method.attached", card);
      return card;
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
