/** The `error` object of a Stripe error answer. */
export type StripeErrorBody = {
  type: "invalid_request_error" | "idempotency_error" | "api_error" | "card_error";
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
  doc_url?: string;
  request_log_url?: string;
};

/** A request that Stripe refuses; it becomes the answer that Stripe would give. */
export class StripeRefusal extends Error {
  readonly status: number;
  readonly body: StripeErrorBody;
  /** Whether the endpoint had begun, after the shape of its parameters was checked. */
  hasBegun = false;

  constructor(status: number, body: StripeErrorBody) {
    super(body.message);
    this.status = status;
    this.body = body.code
      ? {
          ...body,
          doc_url: `https://stripe.com/docs/error-codes/${body.code.replaceAll("_", "-")}`,
        }
      : body;
  }
}

/** A 400 for a parameter that cannot be accepted. */
export function invalidRequest(message: string, param?: string, code?: string): StripeRefusal {
  return new StripeRefusal(400, {
    type: "invalid_request_error",
    message,
    ...(code ? { code } : {}),
    ...(param ? { param } : {}),
  });
}

/** A 402 for a card that does not pay: it is declined, or its owner must authenticate the payment. */
export function cardRefusal(
  code:
    | "card_declined"
    | "invoice_payment_intent_requires_action"
    | "subscription_payment_intent_requires_action",
): StripeRefusal {
  if (code === "card_declined")
    return new StripeRefusal(402, {
      type: "card_error",
      code,
      decline_code: "generic_decline",
      message: "Your card was declined.",
    });
  const what = code.startsWith("invoice") ? "invoice" : "subscription";
  return new StripeRefusal(402, {
    type: "invalid_request_error",
    code,
    message: `Payment for this ${what} requires additional user action before it can be completed successfully. Payment can be completed using the PaymentIntent associated with \`${what === "invoice" ? "" : "subscription.latest_invoice."}payment_intent\`. For more details see: https://stripe.com/docs/billing/subscriptions/overview#requires-action`,
  });
}

/** A 404 for an id in the path; an id in a parameter is a 400 with the parameter's name. */
export function noSuch(kind: string, id: string, param?: string): StripeRefusal {
  return new StripeRefusal(param ? 400 : 404, {
    type: "invalid_request_error",
    code: "resource_missing",
    message: `No such ${kind}: '${id}'`,
    param: param ?? "id",
  });
}

/** A 404 for a path that Stripe, or this fake, does not have. */
export function unknownRoute(method: string, path: string): StripeRefusal {
  return new StripeRefusal(404, {
    type: "invalid_request_error",
    message: `Unrecognized request URL (${method}: ${path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`,
  });
}
