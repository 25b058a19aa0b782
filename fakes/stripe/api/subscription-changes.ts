import type Stripe from "stripe";
import { z } from "zod";
import type { Account } from "../account.ts";
import { invalidRequest, noSuch } from "../errors.ts";
import type { ItemChange } from "../flows/change-plan.ts";
import { currentPeriodEnd, currentPeriodStart } from "../objects/subscriptions.ts";
import { flag, integer, text } from "../parameters.ts";
import { refusalOf } from "../rules/rules.ts";
import { priceOf } from "./catalogue.ts";

/** An item of a change, in an update of a subscription and in the preview of one. */
export const itemParameter = z.strictObject({
  id: text.optional(),
  price: text.optional(),
  quantity: integer.optional(),
  deleted: flag.optional(),
});

export const prorationBehavior = z.enum(["always_invoice", "create_prorations", "none"]);

type Given = z.output<typeof itemParameter>;

/** The items of a change, checked. A new price resets the quantity to 1 unless one is given. */
export function itemChanges(
  account: Account,
  subscription: Stripe.Subscription,
  given: Given[],
  param = "items",
): ItemChange[] {
  const changes = given.map((each, index) =>
    itemChange(account, subscription, each, `${param}[${index}]`),
  );
  refuseTwice(subscription, changes, param);
  return changes;
}

function itemChange(
  account: Account,
  subscription: Stripe.Subscription,
  given: Given,
  param: string,
): ItemChange {
  const existing = subscription.items.data.find((each) => each.id === given.id);
  if (given.id !== undefined && !existing)
    throw noSuch("subscription item", given.id, `${param}[id]`);
  if (given.deleted) {
    if (existing) return { id: existing.id, deleted: true };
    throw invalidRequest(`Missing required param: ${param}[id].`, `${param}[id]`);
  }
  const price = given.price ? priceOf(account, given.price, `${param}[price]`) : existing?.price;
  if (!price)
    throw invalidRequest(
      `Missing required param: ${param}[price].`,
      `${param}[price]`,
      "parameter_missing",
    );
  if (!price.recurring)
    throw invalidRequest(
      "The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.",
      `${param}[price]`,
    );
  const isNew = price.id !== existing?.price.id;
  if (isNew && !price.active)
    throw invalidRequest(
      "The price specified is inactive. This field only accepts active prices.",
      `${param}[price]`,
    );
  if (price.currency !== subscription.currency)
    throw invalidRequest(
      `The price specified only supports \`${price.currency}\`. This doesn't match the expected currency: \`${subscription.currency}\`.`,
      `${param}[price]`,
    );
  return {
    id: existing?.id,
    price,
    quantity: given.quantity ?? (isNew ? 1 : (existing?.quantity ?? 1)),
  };
}

function refuseTwice(
  subscription: Stripe.Subscription,
  changes: ItemChange[],
  param: string,
): void {
  const changed = new Set(changes.map(({ id }) => id));
  const prices = [
    ...subscription.items.data.flatMap(({ id, price }) => (changed.has(id) ? [] : [price.id])),
    ...changes.flatMap((each) => (each.deleted ? [] : [each.price.id])),
  ];
  const duplicate = prices.find((price, index) => prices.indexOf(price) !== index);
  if (duplicate)
    throw invalidRequest(
      `Cannot add multiple subscription items with the same plan: ${duplicate}`,
      param,
    );
  if (prices.length === 0)
    throw invalidRequest("A subscription must have at least one active plan.", param);
}

/**
 * Refuses a proration date outside of the current period, for a change that prorates nothing, and for one that
 * begins the period anew.
 */
export function checkProrationDate(
  subscription: Stripe.Subscription,
  {
    proration_date: date,
    proration_behavior: behavior,
    billing_cycle_anchor: anchor,
  }: {
    proration_date?: number | undefined;
    proration_behavior?: z.output<typeof prorationBehavior> | undefined;
    billing_cycle_anchor?: { type: "now" | "unchanged" } | undefined;
  },
  isPreview = false,
): void {
  if (date === undefined) return;
  const param = isPreview ? "subscription_details[proration_date]" : "proration_date";
  if (anchor?.type === "now")
    throw refusalOf(
      isPreview ? "preview-anchor-now-with-proration-date" : "anchor-now-with-proration-date",
    );
  if (behavior === "none")
    throw invalidRequest(
      "You cannot specify `proration_date` when `proration_behavior` is `none`.",
      param,
    );
  if (date < currentPeriodStart(subscription) || date > currentPeriodEnd(subscription))
    throw invalidRequest(
      "The `proration_date` must be within the current period of the subscription's items.",
      param,
    );
}
