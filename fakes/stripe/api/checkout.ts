import type Stripe from "stripe";
import { z } from "zod";
import { type Account, productName, subscriptionsOf } from "../account.ts";
import { invalidRequest, noSuch } from "../errors.ts";
import { currentSession, expireSession } from "../flows/checkout.ts";
import { pageOf } from "../lists.ts";
import { makeCheckoutSession, makeLineItem } from "../objects/checkout-session.ts";
import { existingCustomer } from "../objects/customers.ts";
import { applySessionTotals } from "../objects/session-totals.ts";
import { isOver } from "../objects/subscriptions.ts";
import { flag, integer, metadata, paging, parameters, text, webAddress } from "../parameters.ts";
import { refusalOf } from "../rules/rules.ts";
import { idOf, now } from "../state.ts";
import { priceOf } from "./catalogue.ts";
import { customFieldGiven, makeCustomFields } from "./checkout-custom-fields.ts";
import { checkTaxParameters, taxFields, taxParameters } from "./checkout-tax.ts";
import { discountGiven, namedCoupon } from "./discounts.ts";
import { type Endpoint, endpoint, givenFields, mergedMetadata } from "./endpoint.ts";

const lineItem = z.strictObject({ price: text, quantity: integer.optional() });

function sessionOf(account: Account, id: string): Stripe.Checkout.Session {
  const session = currentSession(account, id);
  if (!session) throw noSuch("checkout.session", id);
  return session;
}

function checkedLineItem(
  account: Account,
  given: z.output<typeof lineItem>,
  index: number,
): Stripe.LineItem {
  const param = `line_items[${index}][price]`;
  const price = priceOf(account, given.price, param);
  if (!price.active) throw refusalOf("checkout-of-an-archived-price", { param });
  if (account.state.products[idOf(price.product)]?.active === false)
    throw refusalOf("checkout-of-an-archived-product", { price: price.id, param });
  // The fake sells subscriptions only.
  if (!price.recurring) throw refusalOf("checkout-of-a-price-paid-once");
  const quantity = given.quantity ?? 1;
  if (quantity < 1)
    throw invalidRequest(
      "This value must be greater than or equal to 1.",
      `line_items[${index}][quantity]`,
      "parameter_invalid_integer",
    );
  return makeLineItem(price, quantity, productName(account, idOf(price.product)));
}

function checkCurrency(lineItems: Stripe.LineItem[], currency: string): void {
  for (const [index, { price }] of lineItems.entries())
    if (price && price.currency !== currency.toLowerCase())
      throw refusalOf("checkout-in-another-currency", {
        price: price.currency,
        expected: currency,
        param: `line_items[${index}][price]`,
      });
}

function checkCustomer(account: Account, id: string): void {
  if (account.state.customers[id]?.deleted)
    throw refusalOf("checkout-of-a-deleted-customer", { customer: id });
  existingCustomer(account.state, id, "customer");
}

/** Refuses a second currency beside that of a running subscription. */
function checkOneCurrency(account: Account, customer: string, currency: string | undefined): void {
  const other = subscriptionsOf(account, customer).find(
    (each) => !isOver(each) && each.currency !== currency,
  );
  if (other) throw refusalOf("checkout-in-a-second-currency", { currency: other.currency });
}

/** From this version on Stripe has `allowed_payment_method_types` in place of the older name. */
const firstWithAllowedTypes = "2026-09-30";

function checkVersion(version: string, given: Record<string, unknown>): void {
  const gone =
    version >= firstWithAllowedTypes ? "payment_method_types" : "allowed_payment_method_types";
  if (given[gone] !== undefined)
    throw refusalOf("checkout-with-types-of-an-older-version", { parameter: gone, param: gone });
}

/** `/v1/checkout/sessions` */
export const checkoutEndpoints: Endpoint[] = [
  endpoint(
    "POST",
    "/v1/checkout/sessions",
    parameters({
      ...taxParameters,
      adaptive_pricing: z.strictObject({ enabled: flag.optional() }).optional(),
      allow_promotion_codes: flag.optional(),
      allowed_payment_method_types: z.array(z.enum(["card"])).optional(),
      cancel_url: webAddress.optional(),
      client_reference_id: text.max(200).optional(),
      currency: text.optional(),
      custom_fields: z.array(customFieldGiven).optional(),
      customer: text.optional(),
      customer_email: text.optional(),
      discounts: z.array(discountGiven).max(1).optional(),
      expires_at: integer.optional(),
      invoice_creation: z.strictObject({ enabled: flag }).optional(),
      line_items: z.array(lineItem).min(1),
      locale: text.optional(),
      metadata: metadata.optional(),
      mode: z.enum(["subscription"]),
      payment_method_collection: z.enum(["always", "if_required"]).optional(),
      payment_method_types: z.array(z.enum(["card"])).optional(),
      subscription_data: z
        .strictObject({ description: text.optional(), metadata: metadata.optional() })
        .optional(),
      success_url: webAddress,
      ui_mode: z.enum(["hosted_page"]).optional(),
    }),
    ({ account, params, version }): Stripe.Checkout.Session => {
      checkVersion(version, params);
      const {
        expand: _,
        adaptive_pricing,
        automatic_tax,
        consent_collection,
        custom_fields,
        customer_update,
        discounts,
        invoice_creation,
        line_items,
        metadata: given,
        subscription_data,
        tax_id_collection,
        ...fields
      } = params;
      if (fields.customer !== undefined && fields.customer_email !== undefined)
        throw refusalOf("checkout-with-customer-and-email");
      if (fields.customer !== undefined) checkCustomer(account, fields.customer);
      if (discounts && fields.allow_promotion_codes !== undefined)
        throw refusalOf("checkout-with-codes-and-discounts");
      if (invoice_creation?.enabled) throw refusalOf("checkout-with-invoice-creation");
      const tax = { automatic_tax, consent_collection, customer_update, tax_id_collection };
      checkTaxParameters(account, fields.customer, tax);
      const until = fields.expires_at;
      if (until !== undefined && (until < now() + 30 * 60 - 60 || until > now() + 24 * 60 * 60))
        throw refusalOf("checkout-expires-too-soon-or-late");
      const lineItems = line_items.map((item, index) => checkedLineItem(account, item, index));
      if (new Set(lineItems.map((item) => item.price?.recurring?.interval)).size > 1)
        throw refusalOf("checkout-of-two-intervals");
      if (fields.currency !== undefined) checkCurrency(lineItems, fields.currency);
      if (fields.customer !== undefined)
        checkOneCurrency(account, fields.customer, lineItems[0]?.price?.currency);
      const session = makeCheckoutSession({
        ...givenFields(fields),
        ...taxFields(tax),
        custom_fields: makeCustomFields(custom_fields ?? []),
        ...(adaptive_pricing ? { adaptive_pricing: { enabled: !!adaptive_pricing.enabled } } : {}),
        discounts: (discounts ?? []).map((each, index) => {
          const { coupon, promotionCode } = namedCoupon(account, each, `discounts[${index}]`);
          return promotionCode
            ? { coupon: null, promotion_code: promotionCode.id }
            : { coupon: coupon.id, promotion_code: null };
        }),
        metadata: mergedMetadata({}, given),
        lineItems,
        baseUrl: account.baseUrl,
      });
      account.state.checkoutSessions[session.id] = session;
      account.state.checkoutOrders[session.id] = {
        lineItems,
        subscriptionMetadata: mergedMetadata({}, subscription_data?.metadata),
        subscriptionDescription: subscription_data?.description ?? null,
        customerUpdate: customer_update ?? {},
      };
      const customer = fields.customer ? account.state.customers[fields.customer] : undefined;
      applySessionTotals(
        account.state,
        session,
        customer && !customer.deleted ? customer : undefined,
      );
      return session;
    },
  ),

  endpoint(
    "GET",
    "/v1/checkout/sessions",
    parameters({
      ...paging,
      customer: text.optional(),
      customer_details: z.strictObject({ email: text }).optional(),
      status: z.enum(["open", "complete", "expired"]).optional(),
      subscription: text.optional(),
    }),
    ({ account, params }): Stripe.ApiList<Stripe.Checkout.Session> => {
      const sessions = Object.keys(account.state.checkoutSessions)
        .map((id) => sessionOf(account, id))
        .filter(
          (session) =>
            (params.customer === undefined || session.customer === params.customer) &&
            (params.subscription === undefined || session.subscription === params.subscription) &&
            (params.status === undefined || session.status === params.status) &&
            (params.customer_details === undefined ||
              session.customer_details?.email === params.customer_details.email),
        );
      return pageOf("/v1/checkout/sessions", sessions, params);
    },
  ),

  endpoint(
    "GET",
    "/v1/checkout/sessions/:id",
    parameters({}),
    ({ account, id }): Stripe.Checkout.Session => sessionOf(account, id),
  ),

  endpoint(
    "POST",
    "/v1/checkout/sessions/:id",
    parameters({ metadata: metadata.optional() }),
    ({ account, params, id }): Stripe.Checkout.Session => {
      const session = sessionOf(account, id);
      session.metadata = mergedMetadata(session.metadata ?? {}, params.metadata);
      return session;
    },
  ),

  endpoint(
    "GET",
    "/v1/checkout/sessions/:id/line_items",
    parameters(paging),
    ({ account, params, id }): Stripe.ApiList<Stripe.LineItem> => {
      sessionOf(account, id);
      const items = account.state.checkoutOrders[id]?.lineItems ?? [];
      return pageOf(`/v1/checkout/sessions/${id}/line_items`, items.toReversed(), params);
    },
  ),

  endpoint(
    "POST",
    "/v1/checkout/sessions/:id/expire",
    parameters({}),
    ({ account, id }): Stripe.Checkout.Session => {
      const session = sessionOf(account, id);
      if (session.status !== "open")
        throw refusalOf("expiry-of-a-closed-checkout", { status: session.status ?? "" });
      expireSession(account, session);
      return session;
    },
  ),
];
