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
    throw refusalOf("change-to-a-price-paid-once", { param: `${param}[price]` });
  const isNew = price.id !== existing?.price.id;
  if (isNew && !price.active)
    throw refusalOf("change-to-an-archived-price", { param: `${param}[price]` });
  if (price.currency !== subscription.currency)
    throw refusalOf("change-to-another-currency", {
      price: price.currency,
      expected: subscription.currency,
      param: `${param}[price]`,
    });
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
  const items = [
    ...subscription.items.data.flatMap(({ id, price }) =>
      changed.has(id) ? [] : [{ id, price: price.id }],
    ),
    ...changes.flatMap((each) => (each.deleted ? [] : [{ id: each.id, price: each.price.id }])),
  ];
  for (const [index, { price }] of items.entries()) {
    const other = items.findIndex((each) => each.price === price);
    if (other !== index)
      throw refusalOf("second-item-of-a-price", { price, item: items[other]?.id ?? "" });
  }
  if (items.length === 0) throw refusalOf("last-item-removed", { param });
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
  if (anchor?.type === "now")
    throw refusalOf(
      isPreview ? "preview-anchor-now-with-proration-date" : "anchor-now-with-proration-date",
    );
  if (behavior === "none")
    throw refusalOf(
      isPreview ? "preview-proration-date-without-proration" : "proration-date-without-proration",
    );
  if (date < currentPeriodStart(subscription) || date > currentPeriodEnd(subscription))
    throw refusalOf(
      isPreview ? "preview-proration-date-outside-period" : "proration-date-outside-period",
    );
}
