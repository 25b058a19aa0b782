import type Stripe from "stripe";
import { idOf, type StripeState } from "../state.ts";
import { couponOf, sharesOf } from "./discounts.ts";
import { behaviorOf, taxFor, taxOn } from "./tax.ts";

/** Somebody whose tax is asked for: a customer, or a guest who typed an address. */
export type Payer = Pick<Stripe.Customer, "id" | "address" | "tax_exempt">;

/** Fills in the amounts of a session from its items, its discounts and where its buyer is. */
export function applySessionTotals(
  state: StripeState,
  session: Stripe.Checkout.Session,
  payer: Payer | undefined,
): void {
  const items = state.checkoutOrders[session.id]?.lineItems ?? [];
  for (const item of items) item.amount_discount = 0;
  for (const { coupon: reference, promotion_code } of session.discounts ?? []) {
    const code = promotion_code && state.promotionCodes[idOf(promotion_code)];
    const coupon = couponOf(state, reference ?? (code ? code.promotion.coupon : null));
    if (!coupon) continue;
    const rest = items.map((item) => item.amount_subtotal - item.amount_discount);
    for (const [index, share] of sharesOf(coupon, rest).entries()) {
      const item = items[index];
      if (item) item.amount_discount += share;
    }
  }
  const tax = session.automatic_tax.enabled && payer ? taxFor(state, payer) : undefined;
  if (session.automatic_tax.enabled)
    session.automatic_tax.status = tax ? "complete" : "requires_location_inputs";
  for (const item of items) {
    const behavior = behaviorOf(item.price ?? undefined);
    const net = item.amount_subtotal - item.amount_discount;
    item.amount_tax = tax ? taxOn(net, tax.percent, behavior) : 0;
    item.amount_total = behavior === "exclusive" ? net + item.amount_tax : net;
  }
  const sum = (amount: (item: Stripe.LineItem) => number) =>
    items.reduce((total, item) => total + amount(item), 0);
  session.amount_subtotal = sum((item) => item.amount_subtotal);
  session.amount_total = sum((item) => item.amount_total);
  session.total_details = {
    amount_discount: sum((item) => item.amount_discount),
    amount_shipping: 0,
    amount_tax: sum((item) => item.amount_tax),
  };
}
