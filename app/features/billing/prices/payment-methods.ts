import type Stripe from "stripe";
import { isoDayOf } from "~/ui/dates";
import type { Card, PaymentMethod } from "./words";

/** A payment method as Stripe's answers have it: expanded, as an id only, or none. */
type Method = string | Stripe.PaymentMethod | null;

const noMethod: PaymentMethod = { card_brand: null, card_last4: null, card_expires_at: null };

/**
 * The columns in which our tables keep a payment method. One that is no card has its kind, such as "link", as
 * brand and has no digits. The method must be expanded; an id alone gives empty columns.
 */
export function methodColumns(method: Method): PaymentMethod {
  if (!method || typeof method === "string") return noMethod;
  const { card, type } = method;
  if (!card) return { ...noMethod, card_brand: type };
  // A card works until the last day of its month.
  const expires = new Date(Date.UTC(card.exp_year, card.exp_month, 0));
  return {
    card_brand: card.brand,
    card_last4: card.last4,
    card_expires_at: isoDayOf(expires),
  };
}

/** The card of an expanded payment method; undefined for any other kind of method. */
export function cardOf(method: Method | undefined): Card | undefined {
  if (!method || typeof method === "string" || !method.card) return;
  return { brand: method.card.brand, last4: method.card.last4 };
}

/** The payment method that Stripe charges where a subscription has none of its own; null for none. */
export function defaultMethodOf(customer: Stripe.Subscription["customer"]): Method {
  if (typeof customer === "string" || customer.deleted) return null;
  return customer.invoice_settings.default_payment_method;
}
