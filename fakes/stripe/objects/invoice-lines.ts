import type Stripe from "stripe";
import { idOf, type LineTerms, newId, onTheWire } from "../state.ts";

/** The line for a whole period of an item: the one that the item is in. */
export function wholePeriod(item: Stripe.SubscriptionItem, productName: string): LineTerms {
  const price = `$${((item.price.unit_amount ?? 0) / 100).toFixed(2)}`;
  return {
    item,
    amount: fullAmount(item),
    description: `${item.quantity ?? 1} × ${productName} (at ${price} / ${item.price.recurring?.interval})`,
    period: { start: item.current_period_start, end: item.current_period_end },
    proration: false,
    credits: null,
  };
}

/** What a whole period of an item costs. */
export function fullAmount(item: Stripe.SubscriptionItem): number {
  return (item.price.unit_amount ?? 0) * (item.quantity ?? 1);
}

/** A line as Stripe shows it on an invoice. What a proration gives back is net of discounts already, so none is taken again. */
export function makeLine(
  invoice: string,
  subscription: Stripe.Subscription,
  terms: LineTerms,
): Stripe.InvoiceLineItem {
  const { item, amount, proration } = terms;
  return onTheWire<Stripe.InvoiceLineItem>({
    id: newId("il"),
    object: "line_item",
    amount,
    currency: item.price.currency,
    description: terms.description,
    discount_amounts: [],
    discountable: !proration || amount > 0,
    discounts: [],
    invoice,
    livemode: false,
    metadata: subscription.metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: proration ? newId("ii") : null,
        proration,
        proration_details: { credited_items: terms.credits },
        subscription: subscription.id,
        subscription_item: item.id,
      },
      type: "subscription_item_details",
    },
    period: { end: terms.period.end, start: terms.period.start },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: item.price.id, product: idOf(item.price.product) },
      type: "price_details",
      unit_amount_decimal: item.price.unit_amount_decimal,
    },
    quantity: item.quantity ?? 1,
    quantity_decimal: null,
    subscription: subscription.id,
    subtotal: amount,
    taxes: [],
  });
}
