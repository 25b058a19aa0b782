import type Stripe from "stripe";
import { z } from "zod";
import type { Account } from "../account.ts";
import { invalidRequest, noSuch } from "../errors.ts";
import {
  chargeInvoice,
  draftInvoice,
  finalizeInvoice,
  updateSubscription,
} from "../flows/payment.ts";
import { cancelAtPeriodEnd, endSubscription } from "../flows/time.ts";
import { pageOf } from "../lists.ts";
import { flag, integer, metadata, paging, parameters, text } from "../parameters.ts";
import { now } from "../state.ts";
import { isOver, makeSubscriptionItem } from "../subscriptions.ts";
import { priceOf } from "./catalogue.ts";
import { type Endpoint, endpoint, mergedMetadata } from "./endpoint.ts";

/** The subscription, unless there is none. */
export function subscriptionOf(account: Account, id: string, param?: string): Stripe.Subscription {
  const subscription = account.state.subscriptions[id];
  if (!subscription) throw noSuch("subscription", id, param);
  return subscription;
}

const statuses = [
  "active",
  "all",
  "canceled",
  "ended",
  "incomplete",
  "incomplete_expired",
  "past_due",
  "paused",
  "trialing",
  "unpaid",
] as const;

/** Without a status everything but the canceled is listed. */
function hasStatus(
  subscription: Stripe.Subscription,
  wanted: (typeof statuses)[number] | undefined,
): boolean {
  if (wanted === "all") return true;
  if (wanted === undefined) return subscription.status !== "canceled";
  if (wanted === "ended") return isOver(subscription);
  return subscription.status === wanted;
}

const item = z.strictObject({
  id: text.optional(),
  price: text.optional(),
  quantity: integer.optional(),
  deleted: flag.optional(),
});

/**
 * Puts other prices into a subscription. Says whether a new period starts with them, as it
 * does when the interval changes; the stand-in credits nothing for the rest of the old one.
 */
function changeItems(
  account: Account,
  subscription: Stripe.Subscription,
  changes: z.output<typeof item>[],
): boolean {
  let startsAnew = false;
  for (const [index, change] of changes.entries()) {
    const items = subscription.items.data;
    const position = items.findIndex((each) => each.id === change.id);
    const present = items[position];
    if (change.id !== undefined && !present)
      throw noSuch("subscription item", change.id, `items[${index}][id]`);
    if (change.deleted) {
      if (present) items.splice(position, 1);
      continue;
    }
    const price = change.price
      ? priceOf(account, change.price, `items[${index}][price]`)
      : present?.price;
    if (!price?.recurring)
      throw invalidRequest("The price must be recurring.", `items[${index}][price]`);
    const quantity = change.quantity ?? present?.quantity ?? 1;
    const sameInterval = present?.price.recurring?.interval === price.recurring.interval;
    const start = present && sameInterval ? present.current_period_start : now();
    if (!sameInterval) startsAnew = true;
    const made = makeSubscriptionItem(subscription.id, price, quantity, start);
    if (present) items[position] = { ...made, id: present.id, created: present.created };
    else items.push(made);
  }
  return startsAnew;
}

function chargeForPeriod(account: Account, subscription: Stripe.Subscription): void {
  const at = now();
  const occasion = { reason: "subscription_update", at, periodStart: at } as const;
  const invoice = draftInvoice(account, subscription, occasion);
  finalizeInvoice(account, subscription, invoice);
  if (!chargeInvoice(account, subscription, invoice, at))
    updateSubscription(account, subscription, (each) => {
      each.status = "past_due";
    });
}

/** `/v1/subscriptions` */
export const subscriptionEndpoints: Endpoint[] = [
  endpoint(
    "GET",
    "/v1/subscriptions",
    parameters({
      ...paging,
      customer: text.optional(),
      price: text.optional(),
      status: z.enum(statuses).optional(),
    }),
    ({ account, params }): Stripe.ApiList<Stripe.Subscription> => {
      if (params.customer && !account.state.customers[params.customer])
        throw noSuch("customer", params.customer, "customer");
      const subscriptions = Object.values(account.state.subscriptions).filter(
        (subscription) =>
          hasStatus(subscription, params.status) &&
          (params.customer === undefined || subscription.customer === params.customer) &&
          (params.price === undefined ||
            subscription.items.data.some((each) => each.price.id === params.price)),
      );
      return pageOf("/v1/subscriptions", subscriptions, params);
    },
  ),

  endpoint("GET", "/v1/subscriptions/:id", parameters({}), ({ account, id }) =>
    subscriptionOf(account, id),
  ),

  endpoint(
    "POST",
    "/v1/subscriptions/:id",
    parameters({
      cancel_at_period_end: flag.optional(),
      default_payment_method: text.optional(),
      description: text.optional(),
      items: z.array(item).optional(),
      metadata: metadata.optional(),
      payment_behavior: z
        .enum(["allow_incomplete", "default_incomplete", "error_if_incomplete"])
        .optional(),
      proration_behavior: z.enum(["always_invoice", "create_prorations", "none"]).optional(),
    }),
    ({ account, params, id }): Stripe.Subscription => {
      const subscription = subscriptionOf(account, id);
      if (isOver(subscription))
        throw invalidRequest(
          "A canceled subscription can only update its cancellation_details and metadata.",
          undefined,
          "invalid_canceled_subscription_fields",
        );
      const card = params.default_payment_method;
      if (card && account.state.paymentMethods[card]?.customer !== subscription.customer)
        throw noSuch("PaymentMethod", card, "default_payment_method");
      let startsAnew = false;
      updateSubscription(account, subscription, (each) => {
        if (params.items) startsAnew = changeItems(account, each, params.items);
        if (card !== undefined) each.default_payment_method = card || null;
        if (params.description !== undefined) each.description = params.description || null;
        each.metadata = mergedMetadata(each.metadata, params.metadata);
      });
      if (params.cancel_at_period_end !== undefined)
        cancelAtPeriodEnd(account, subscription, params.cancel_at_period_end);
      if (startsAnew) chargeForPeriod(account, subscription);
      return subscription;
    },
  ),

  endpoint(
    "DELETE",
    "/v1/subscriptions/:id",
    parameters({ invoice_now: flag.optional(), prorate: flag.optional() }),
    ({ account, id }): Stripe.Subscription => {
      const subscription = subscriptionOf(account, id);
      if (isOver(subscription)) throw noSuch("subscription", id);
      endSubscription(account, subscription, now());
      return subscription;
    },
  ),
];
