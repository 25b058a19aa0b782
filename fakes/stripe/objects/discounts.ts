import type Stripe from "stripe";
import { idOf, newId, now, onTheWire, type StripeState } from "../state.ts";

/** A coupon as Stripe shows it: some percent or some amount off, for a while or for good. */
export function makeCoupon(given: Partial<Stripe.Coupon>): Stripe.Coupon {
  return onTheWire<Stripe.Coupon>({
    id: newId("", 8).slice(1),
    object: "coupon",
    amount_off: null,
    created: now(),
    currency: null,
    duration: "once",
    duration_in_months: null,
    livemode: false,
    max_redemptions: null,
    metadata: {},
    name: null,
    percent_off: null,
    redeem_by: null,
    times_redeemed: 0,
    valid: true,
    ...given,
  });
}

/** A code that people type to get a coupon. */
export function makePromotionCode(
  given: Pick<Stripe.PromotionCode, "code" | "promotion"> & Partial<Stripe.PromotionCode>,
): Stripe.PromotionCode {
  return onTheWire<Stripe.PromotionCode>({
    id: newId("promo"),
    object: "promotion_code",
    active: true,
    created: now(),
    customer: null,
    customer_account: null,
    expires_at: null,
    livemode: false,
    max_redemptions: null,
    metadata: {},
    restrictions: {
      first_time_transaction: false,
      minimum_amount: null,
      minimum_amount_currency: null,
    },
    times_redeemed: 0,
    ...given,
  });
}

/** The active code that somebody typed, if its coupon still counts; capitals make no difference. */
export function redeemable(state: StripeState, typed: string): Stripe.PromotionCode | undefined {
  return Object.values(state.promotionCodes).find((each) => {
    const { coupon } = each.promotion;
    return (
      each.active &&
      each.code.toLowerCase() === typed.trim().toLowerCase() &&
      (each.expires_at === null || each.expires_at > now()) &&
      (each.max_redemptions === null || each.times_redeemed < each.max_redemptions) &&
      coupon !== null &&
      isRedeemable(state.coupons[idOf(coupon)])
    );
  });
}

function isRedeemable(coupon: Stripe.Coupon | undefined): coupon is Stripe.Coupon {
  return (
    coupon?.valid === true &&
    (coupon.redeem_by === null || coupon.redeem_by > now()) &&
    (coupon.max_redemptions === null || coupon.times_redeemed < coupon.max_redemptions)
  );
}

type Redemption = {
  coupon: Stripe.Coupon;
  promotionCode: Stripe.PromotionCode | null;
  subscription: Pick<Stripe.Subscription, "id" | "customer">;
  session: string | null;
};

/** Gives a subscription a coupon, from now until the coupon's months are over. */
export function giveDiscount(
  state: StripeState,
  { coupon, promotionCode, subscription, session }: Redemption,
): Stripe.Discount {
  const start = now();
  const discount = onTheWire<Stripe.Discount>({
    id: newId("di"),
    object: "discount",
    checkout_session: session,
    customer: idOf(subscription.customer),
    customer_account: null,
    end: coupon.duration === "repeating" ? afterMonths(start, coupon.duration_in_months) : null,
    invoice: null,
    invoice_item: null,
    promotion_code: promotionCode?.id ?? null,
    source: { coupon: coupon.id, type: "coupon" },
    start,
    subscription: subscription.id,
    subscription_item: null,
  });
  state.discounts[discount.id] = discount;
  coupon.times_redeemed += 1;
  if (promotionCode) promotionCode.times_redeemed += 1;
  return discount;
}

function afterMonths(start: number, months: number | null): number {
  const date = new Date(start * 1000);
  date.setUTCMonth(date.getUTCMonth() + (months ?? 1));
  return Math.floor(date.getTime() / 1000);
}

/** The coupon that a discount or a session's discount takes its amount from. */
export function couponOf(
  state: StripeState,
  reference: string | Stripe.Coupon | null,
): Stripe.Coupon | undefined {
  return reference === null ? undefined : state.coupons[idOf(reference)];
}

/** The discounts of a subscription that count for an invoice of this second. */
export function discountsAt(
  state: StripeState,
  subscription: Stripe.Subscription,
  at: number,
): string[] {
  return subscription.discounts
    .map((each) => idOf(each))
    .filter((id) => {
      const discount = state.discounts[id];
      return discount !== undefined && (discount.end === null || discount.end > at);
    });
}

/** What stays of a subscription's discounts after an invoice of this second. */
export function discountsAfter(
  state: StripeState,
  subscription: Stripe.Subscription,
  at: number,
): string[] {
  return discountsAt(state, subscription, at).filter(
    (id) => couponOf(state, state.discounts[id]?.source.coupon ?? null)?.duration !== "once",
  );
}

/**
 * What a coupon takes off each of the amounts: percent of each, or its amount shared out in proportion,
 * never more than there is.
 */
export function sharesOf(coupon: Stripe.Coupon, amounts: readonly number[]): number[] {
  const percent = coupon.percent_off;
  if (percent !== null) return amounts.map((amount) => Math.round((amount * percent) / 100));
  const whole = amounts.reduce((sum, amount) => sum + Math.max(0, amount), 0);
  let rest = Math.min(coupon.amount_off ?? 0, whole);
  let restOfWhole = whole;
  return amounts.map((amount) => {
    if (amount <= 0 || restOfWhole <= 0) return 0;
    const share = Math.round((rest * amount) / restOfWhole);
    rest -= share;
    restOfWhole -= amount;
    return share;
  });
}
