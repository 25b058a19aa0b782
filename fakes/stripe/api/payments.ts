import type Stripe from "stripe";
import { z } from "zod";
import { noSuch } from "../errors.ts";
import { refundCharge } from "../flows/refund.ts";
import { pageOf } from "../lists.ts";
import { integer, metadata, paging, parameters, text } from "../parameters.ts";
import { refusalOf } from "../rules/rules.ts";
import { idOf } from "../state.ts";
import { type Endpoint, endpoint, mergedMetadata } from "./endpoint.ts";

/** `/v1/invoice_payments`, `/v1/payment_intents`, `/v1/charges`, `/v1/refunds` and `/v1/disputes` */
export const paymentEndpoints: Endpoint[] = [
  endpoint(
    "GET",
    "/v1/invoice_payments",
    parameters({
      ...paging,
      invoice: text.optional(),
      payment: z
        .strictObject({ type: z.enum(["payment_intent"]), payment_intent: text.optional() })
        .optional(),
      status: z.enum(["canceled", "open", "paid"]).optional(),
    }),
    ({ account, params }): Stripe.ApiList<Stripe.InvoicePayment> => {
      const { invoice, payment, status } = params;
      if (invoice !== undefined && !account.state.invoices[invoice])
        throw noSuch("invoice", invoice, "invoice");
      const payments = Object.values(account.state.invoicePayments).filter(
        (each) =>
          (invoice === undefined || each.invoice === invoice) &&
          (status === undefined || each.status === status) &&
          (payment?.payment_intent === undefined ||
            each.payment.payment_intent === payment.payment_intent),
      );
      return pageOf("/v1/invoice_payments", payments, params);
    },
  ),

  endpoint("GET", "/v1/payment_intents/:id", parameters({}), ({ account, id }) => {
    const intent = account.state.paymentIntents[id];
    if (!intent) throw noSuch("payment_intent", id);
    return intent;
  }),

  endpoint(
    "GET",
    "/v1/charges",
    parameters({ ...paging, customer: text.optional(), payment_intent: text.optional() }),
    ({ account, params }): Stripe.ApiList<Stripe.Charge> => {
      const charges = Object.values(account.state.charges).filter(
        (each) =>
          (params.customer === undefined || each.customer === params.customer) &&
          (params.payment_intent === undefined || each.payment_intent === params.payment_intent),
      );
      return pageOf("/v1/charges", charges, params);
    },
  ),

  endpoint("GET", "/v1/charges/:id", parameters({}), ({ account, id }) => {
    const charge = account.state.charges[id];
    if (!charge) throw noSuch("charge", id);
    return charge;
  }),

  endpoint(
    "POST",
    "/v1/refunds",
    parameters({
      amount: integer.optional(),
      charge: text.optional(),
      metadata: metadata.optional(),
      payment_intent: text.optional(),
      reason: z.enum(["duplicate", "fraudulent", "requested_by_customer"]).optional(),
    }),
    ({ account, params }): Stripe.Refund => {
      const { charge: charged, payment_intent: paid, amount, reason } = params;
      if ((charged === undefined) === (paid === undefined))
        throw refusalOf("refund-of-no-or-two-payments");
      const intent = paid === undefined ? undefined : account.state.paymentIntents[paid];
      if (paid !== undefined && !intent) throw noSuch("payment_intent", paid, "payment_intent");
      const id = charged ?? (intent?.latest_charge ? idOf(intent.latest_charge) : undefined);
      if (id === undefined || (intent && intent.status !== "succeeded"))
        throw refusalOf("refund-of-an-unpaid-payment", { intent: paid });
      const charge = account.state.charges[id];
      if (!charge) throw noSuch("charge", id, "charge");
      return refundCharge(account, charge, {
        amount,
        reason: reason ?? null,
        metadata: mergedMetadata({}, params.metadata),
      });
    },
  ),
  endpoint(
    "GET",
    "/v1/refunds",
    parameters({ ...paging, charge: text.optional(), payment_intent: text.optional() }),
    ({ account, params }): Stripe.ApiList<Stripe.Refund> => {
      const refunds = Object.values(account.state.refunds).filter(
        (each) =>
          (params.charge === undefined || each.charge === params.charge) &&
          (params.payment_intent === undefined || each.payment_intent === params.payment_intent),
      );
      return pageOf("/v1/refunds", refunds, params);
    },
  ),

  endpoint(
    "GET",
    "/v1/disputes",
    parameters({ ...paging, charge: text.optional(), payment_intent: text.optional() }),
    ({ account, params }): Stripe.ApiList<Stripe.Dispute> => {
      const disputes = Object.values(account.state.disputes).filter(
        (each) =>
          (params.charge === undefined || each.charge === params.charge) &&
          (params.payment_intent === undefined || each.payment_intent === params.payment_intent),
      );
      return pageOf("/v1/disputes", disputes, params);
    },
  ),
  endpoint("GET", "/v1/disputes/:id", parameters({}), ({ account, id }) => {
    const dispute = account.state.disputes[id];
    if (!dispute) throw noSuch("dispute", id);
    return dispute;
  }),
];
