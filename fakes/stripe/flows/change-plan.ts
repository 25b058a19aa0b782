import type Stripe from "stripe";
import { type Account, productName } from "../account.ts";
import { wholePeriod } from "../objects/invoice-lines.ts";
import { remainingTime, unusedTime } from "../objects/prorations.ts";
import {
  currentPeriodEnd,
  currentPeriodStart,
  makeSubscriptionItem,
} from "../objects/subscriptions.ts";
import type { LineTerms } from "../state.ts";
import { idOf, now } from "../state.ts";

/** An item as it is to be: an id names a present one, none makes a new one. */
export type ItemChange =
  | { id: string; deleted: true }
  | { id?: string | undefined; deleted?: false; price: Stripe.Price; quantity: number };

export type ProrationBehavior = "always_invoice" | "create_prorations" | "none";

/** A change of what a subscription charges for. */
export type Change = {
  items: ItemChange[];
  prorationBehavior: ProrationBehavior;
  /** The second at which the old items end and the new ones begin; undefined means now. */
  prorationDate?: number | undefined;
  /** All items begin a new period now. */
  startsAnew?: boolean | undefined;
};

/** What a change would make of a subscription, and what it would charge. */
export type PlannedChange = {
  items: Stripe.SubscriptionItem[];
  anchor: number;
  /** What belongs on an invoice at once. */
  lines: LineTerms[];
  /** Prorations that wait for the next invoice. */
  waiting: LineTerms[];
  invoicesNow: boolean;
};

/**
 * The present second for a subscription: never outside of its current period, into which a test may have moved it.
 */
export function timeOf(subscription: Stripe.Subscription): number {
  return Math.min(
    Math.max(now(), currentPeriodStart(subscription)),
    currentPeriodEnd(subscription),
  );
}

/**
 * Works out a change without making it. The same interval keeps the period and is prorated; another
 * interval, or a new anchor, begins a new period that is charged at once and in full.
 * https://docs.stripe.com/billing/subscriptions/change-price
 */
export function planChange(
  account: Account,
  subscription: Stripe.Subscription,
  change: Change,
): PlannedChange {
  const start = timeOf(subscription);
  const at = change.prorationDate ?? start;
  const prorates = change.prorationBehavior !== "none";
  const credits: LineTerms[] = [];
  const debits: LineTerms[] = [];
  const newPeriods: LineTerms[] = [];
  const items: Stripe.SubscriptionItem[] = [];
  const wholePeriodOf = (item: Stripe.SubscriptionItem) =>
    wholePeriod(item, productName(account, idOf(item.price.product)));

  const changesById = new Map<string, ItemChange>();
  for (const each of change.items) if (each.id !== undefined) changesById.set(each.id, each);
  for (const existing of subscription.items.data) {
    const each = changesById.get(existing.id);
    if (each?.deleted) {
      if (prorates) credits.push(unusedTime(account, subscription, existing, at));
      continue;
    }
    const { price, quantity } = each ?? { price: existing.price, quantity: existing.quantity ?? 1 };
    const isSame = price.id === existing.price.id && quantity === (existing.quantity ?? 1);
    const startsAnew = change.startsAnew === true || !hasSameInterval(price, existing.price);
    if (isSame && !startsAnew) {
      items.push(existing);
      continue;
    }
    const item = {
      ...makeSubscriptionItem(
        subscription.id,
        price,
        quantity,
        startsAnew ? start : existing.current_period_start,
      ),
      id: existing.id,
      created: existing.created,
      metadata: existing.metadata,
      discounts: existing.discounts,
    };
    if (!startsAnew) item.current_period_end = existing.current_period_end;
    items.push(item);
    if (prorates) credits.push(unusedTime(account, subscription, existing, at));
    if (startsAnew) newPeriods.push(wholePeriodOf(item));
    else if (prorates) debits.push(remainingTime(account, subscription, item, at));
  }
  for (const each of change.items) {
    if (each.id !== undefined || each.deleted) continue;
    const companion = subscription.items.data.find((item) =>
      hasSameInterval(each.price, item.price),
    );
    const joins = companion !== undefined && change.startsAnew !== true;
    const item = makeSubscriptionItem(
      subscription.id,
      each.price,
      each.quantity,
      joins ? companion.current_period_start : start,
    );
    items.push(item);
    if (!joins) newPeriods.push(wholePeriodOf(item));
    else if (prorates) debits.push(remainingTime(account, subscription, item, at));
  }

  const prorations = [...credits, ...debits];
  const invoicesNow =
    newPeriods.length > 0 ||
    (change.prorationBehavior === "always_invoice" && prorations.length > 0);
  return {
    items,
    anchor: newPeriods.length > 0 ? start : subscription.billing_cycle_anchor,
    lines: invoicesNow ? [...prorations, ...newPeriods] : [],
    waiting: invoicesNow ? [] : prorations,
    invoicesNow,
  };
}

/** Whether two prices are charged as often. */
export function hasSameInterval(one: Stripe.Price, other: Stripe.Price): boolean {
  return (
    one.recurring?.interval === other.recurring?.interval &&
    one.recurring?.interval_count === other.recurring?.interval_count
  );
}
