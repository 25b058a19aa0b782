import type Stripe from "stripe";
import { z } from "zod";
import { type Account, productName } from "../account.ts";
import { cardThatIs } from "../objects/cards.ts";
import { makeCheckoutSession, makeLineItem } from "../objects/checkout-session.ts";
import { existingCustomer } from "../objects/customers.ts";
import { cardBehaviours, idOf } from "../state.ts";
import { completeCheckout } from "./checkout.ts";

/** Purchases to make at once; with a customer's id it is that customer who buys again. */
export const purchasesBody = z.strictObject({
  purchases: z
    .array(
      z.strictObject({
        email: z.email(),
        price: z.string(),
        card: z.enum(cardBehaviours),
        customer: z.string().optional(),
        coupon: z.string().optional(),
      }),
    )
    .max(500),
});

type Purchase = z.output<typeof purchasesBody>["purchases"][number];

/** Completes a checkout without its page, for tests that need many purchases. */
export function makePurchase(
  account: Account,
  { email, price: priceId, card, customer, coupon }: Purchase,
): { customer: string; subscription: string } {
  const { state, baseUrl } = account;
  const price = state.prices[priceId];
  if (!price) throw new Error(`There is no price ${priceId}.`);
  if (customer) existingCustomer(state, customer);
  const lineItems = [makeLineItem(price, 1, productName(account, idOf(price.product)))];
  const session = makeCheckoutSession({
    lineItems,
    baseUrl,
    ...(customer ? { customer } : {}),
    ...(coupon ? { discounts: [{ coupon, promotion_code: null }] } : {}),
  });
  state.checkoutSessions[session.id] = session;
  state.checkoutOrders[session.id] = {
    lineItems,
    subscriptionMetadata: {},
    subscriptionDescription: null,
  };
  completeCheckout(account, session, { email, card: cardThatIs(card) });
  return { customer: idOfPaid(session.customer), subscription: idOfPaid(session.subscription) };
}

function idOfPaid(reference: Stripe.Checkout.Session["customer" | "subscription"]): string {
  if (!reference) throw new Error("The session was not paid.");
  return idOf(reference);
}
