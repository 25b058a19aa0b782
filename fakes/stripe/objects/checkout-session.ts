import type Stripe from "stripe";
import { newId, now, onTheWire } from "../state.ts";

const lifetime = 24 * 60 * 60;

/** What is bought in a checkout session, for the page and the `line_items` list. */
export function makeLineItem(
  price: Stripe.Price,
  quantity: number,
  description: string,
): Stripe.LineItem {
  const amount = (price.unit_amount ?? 0) * quantity;
  return onTheWire<Stripe.LineItem>({
    id: newId("li"),
    object: "item",
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency: price.currency,
    description,
    metadata: {},
    price,
    quantity,
  });
}

type SessionTerms = {
  lineItems: Stripe.LineItem[];
  baseUrl: string;
} & Partial<Stripe.Checkout.Session>;

/** An open checkout session for a subscription, payable on the hosted page for a day. */
export function makeCheckoutSession(terms: SessionTerms): Stripe.Checkout.Session {
  const { lineItems, baseUrl, ...given } = terms;
  const id = newId("cs_test", 58);
  const created = now();
  const total = lineItems.reduce((sum, item) => sum + item.amount_total, 0);
  return onTheWire<Stripe.Checkout.Session>({
    id,
    object: "checkout.session",
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: null,
    client_reference_id: null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created,
    currency: lineItems[0]?.currency ?? "usd",
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: null,
    customer_account: null,
    customer_creation: given.customer ? null : "always",
    customer_details: given.customer_email
      ? {
          address: null,
          business_name: null,
          email: given.customer_email,
          individual_name: null,
          name: null,
          phone: null,
          tax_exempt: "none",
          tax_ids: null,
        }
      : null,
    customer_email: null,
    discounts: [],
    expires_at: created + lifetime,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: { enabled: false },
    metadata: {},
    mode: "subscription",
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: "always",
    payment_method_configuration_details: null,
    payment_method_options: { card: { request_three_d_secure: "automatic" } },
    payment_method_types: ["card"],
    payment_status: "unpaid",
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: {
      allow_redisplay_filters: ["always"],
      payment_method_remove: "disabled",
      payment_method_save: null,
    },
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: "open",
    submit_type: null,
    subscription: null,
    success_url: null,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: "hosted_page",
    url: `${baseUrl}/c/pay/${id}`,
    wallet_options: null,
    ...given,
  });
}
