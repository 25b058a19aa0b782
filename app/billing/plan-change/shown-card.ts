import type Stripe from "stripe";
import type { ShownCard } from "./words";

/** The card that a subscription is paid with, where it has one of its own. */
export function cardOf({
  default_payment_method,
}: Pick<Stripe.Subscription, "default_payment_method">): ShownCard | undefined {
  if (!default_payment_method || typeof default_payment_method === "string") return;
  const { card } = default_payment_method;
  return card && { brand: card.brand, last4: card.last4 };
}
