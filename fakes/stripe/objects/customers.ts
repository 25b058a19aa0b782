import { createHash } from "node:crypto";
import type Stripe from "stripe";
import { noSuch } from "../errors.ts";
import { idOf, newId, now, onTheWire, type StripeState } from "../state.ts";
import type { NewCard } from "./cards.ts";

/** A customer as Stripe shows it. */
export function makeCustomer(given: Partial<Stripe.Customer>): Stripe.Customer {
  return onTheWire<Stripe.Customer>({
    id: newId("cus", 14),
    object: "customer",
    address: null,
    balance: 0,
    created: now(),
    currency: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: null,
    invoice_prefix: newId("x", 8).slice(2).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: {},
    name: null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: "none",
    test_clock: null,
    ...given,
  });
}

/** The customer, unless there is none or it was deleted. */
export function existingCustomer(state: StripeState, id: string, param?: string): Stripe.Customer {
  const customer = state.customers[id];
  if (!customer || customer.deleted) throw noSuch("customer", id, param);
  return customer;
}

/** A card that belongs to the customer, and the state's note of how it behaves. */
export function attachCard(
  state: StripeState,
  customer: Stripe.Customer,
  { behaviour, ...details }: NewCard,
): Stripe.PaymentMethod {
  const card = onTheWire<Stripe.PaymentMethod>({
    id: newId("pm"),
    object: "payment_method",
    allow_redisplay: "limited",
    billing_details: {
      address: customer.address ?? null,
      email: customer.email,
      name: customer.name ?? null,
      phone: null,
      tax_id: null,
    },
    card: {
      checks: {
        address_line1_check: null,
        address_postal_code_check: null,
        cvc_check: "pass",
      },
      country: "US",
      display_brand: details.brand,
      fingerprint: createHash("sha256").update(details.last4).digest("hex").slice(0, 16),
      funding: "credit",
      generated_from: null,
      networks: { available: [details.brand], preferred: null },
      regulated_status: "unregulated",
      three_d_secure_usage: { supported: true },
      wallet: null,
      ...details,
    },
    created: now(),
    customer: customer.id,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: "card",
  });
  state.paymentMethods[card.id] = card;
  state.cardBehaviours[card.id] = behaviour;
  return card;
}

/** The card that the next invoice of a subscription is charged to. */
export function cardFor(
  state: StripeState,
  subscription: Stripe.Subscription,
): Stripe.PaymentMethod | undefined {
  const customer = state.customers[idOf(subscription.customer)];
  const chosen =
    subscription.default_payment_method ??
    (customer && !customer.deleted ? customer.invoice_settings.default_payment_method : null);
  return chosen ? state.paymentMethods[idOf(chosen)] : undefined;
}
