import type Stripe from "stripe";
import { type Account, invoicesOf, productName } from "../account.ts";
import type { LineTerms } from "../state.ts";
import { idOf } from "../state.ts";
import { couponOf, discountsAt, sharesOf } from "./discounts.ts";
import { fullAmount } from "./invoice-lines.ts";

/**
 * The credit for the rest of an item's period. In flexible billing mode Stripe counts from what was really
 * charged, discounts taken off, in proportion to the seconds that are left; the cent is rounded half up.
 * https://docs.stripe.com/billing/subscriptions/prorations#credit-prorations
 */
export function unusedTime(
  account: Account,
  subscription: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  at: number,
): LineTerms {
  const charged = chargedFor(account, subscription, item, at);
  const whole = charged?.period ?? {
    start: item.current_period_start,
    end: item.current_period_end,
  };
  const amount = share(
    charged?.net ?? discounted(account, subscription, item, at),
    { start: at, end: whole.end },
    whole,
  );
  return {
    item,
    amount: -amount,
    description: `Unused time on ${nameOf(account, item)} after ${dayOf(at)}`,
    period: { start: at, end: whole.end },
    proration: true,
    credits: charged ? { invoice: charged.invoice, invoice_line_items: charged.lines } : null,
  };
}

/** The charge for the rest of the period that an item with its new price or quantity is in. */
export function remainingTime(
  account: Account,
  subscription: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  at: number,
): LineTerms {
  const whole = { start: item.current_period_start, end: item.current_period_end };
  const rest = { start: at, end: whole.end };
  const count = (item.quantity ?? 1) > 1 ? `${item.quantity} × ` : "";
  return {
    item,
    amount: share(discounted(account, subscription, item, at), rest, whole),
    description: `Remaining time on ${count}${nameOf(account, item)} after ${dayOf(at)}`,
    period: rest,
    proration: true,
    credits: null,
  };
}

/** What a whole period of an item costs after the subscription's discounts: prorations are net of them. */
function discounted(
  { state }: Account,
  subscription: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  at: number,
): number {
  return discountsAt(state, subscription, at).reduce((rest, id) => {
    const coupon = couponOf(state, state.discounts[id]?.source.coupon ?? null);
    return coupon ? rest - (sharesOf(coupon, [rest])[0] ?? 0) : rest;
  }, fullAmount(item));
}

type Period = { start: number; end: number };

/** The part of an amount that falls on a part of a period. */
function share(amount: number, part: Period, whole: Period): number {
  return Math.round((amount * (part.end - part.start)) / (whole.end - whole.start));
}

type Charged = { net: number; period: Period; invoice: string; lines: string[] };

/** The newest charge for an item that covers the given second. */
function chargedFor(
  account: Account,
  subscription: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  at: number,
): Charged | undefined {
  for (const invoice of invoicesOf(account, idOf(subscription.customer))) {
    if (invoice.status !== "paid" && invoice.status !== "open") continue;
    const line = invoice.lines.data.find(
      (each) =>
        each.parent?.subscription_item_details?.subscription_item === item.id &&
        each.pricing?.price_details !== undefined &&
        idOf(each.pricing.price_details.price) === item.price.id &&
        each.quantity === (item.quantity ?? 1) &&
        each.amount > 0 &&
        each.period.start <= at &&
        each.period.end === item.current_period_end,
    );
    if (!line) continue;
    const discounts = line.discount_amounts ?? [];
    return {
      net: discounts.reduce((rest, { amount }) => rest - amount, line.amount),
      period: line.period,
      invoice: invoice.id,
      lines: [line.id],
    };
  }
  return undefined;
}

function nameOf(account: Account, item: Stripe.SubscriptionItem): string {
  return productName(account, idOf(item.price.product));
}

function dayOf(seconds: number): string {
  return new Intl.DateTimeFormat("en-GB", {
    day: "2-digit",
    month: "short",
    year: "numeric",
    timeZone: "UTC",
  }).format(seconds * 1000);
}
