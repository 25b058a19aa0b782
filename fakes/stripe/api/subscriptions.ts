import type Stripe from "stripe";
import { z } from "zod";
import type { Account } from "../account.ts";
import { noSuch } from "../errors.ts";
import { changeSubscription } from "../flows/change.ts";
import { subscribe } from "../flows/new-subscription.ts";
import { pauseCollection } from "../flows/pause.ts";
import { updateSubscription } from "../flows/payment.ts";
import { scheduleOf } from "../flows/schedules.ts";
import { cancelAtPeriodEnd, cancelOnDay, endSubscription } from "../flows/time.ts";
import { pageOf } from "../lists.ts";
import { existingCustomer } from "../objects/customers.ts";
import { isOver } from "../objects/subscriptions.ts";
import { flag, integer, metadata, paging, parameters, text } from "../parameters.ts";
import { refusalOf } from "../rules/rules.ts";
import { now } from "../state.ts";
import { priceOf } from "./catalogue.ts";
import { type Endpoint, endpoint, mergedMetadata } from "./endpoint.ts";
import {
  checkProrationDate,
  itemChanges,
  itemParameter,
  prorationBehavior,
} from "./subscription-changes.ts";

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
  status: (typeof statuses)[number] | undefined,
): boolean {
  if (status === "all") return true;
  if (status === undefined) return subscription.status !== "canceled";
  if (status === "ended") return isOver(subscription);
  return subscription.status === status;
}

const payments = [
  "allow_incomplete",
  "default_incomplete",
  "error_if_incomplete",
  "pending_if_incomplete",
] as const;

/** The only parameters that a change with `pending_if_incomplete` may have. */
const pendingParameters: ReadonlySet<string> = new Set([
  "billing_cycle_anchor",
  "cancel_at_period_end",
  "expand",
  "items",
  "metadata",
  "payment_behavior",
  "proration_behavior",
  "proration_date",
]);

function checkPendingParameters(params: Record<string, unknown>): void {
  const given = Object.keys(params).filter((name) => params[name] !== undefined);
  const wrong = given.find((name) => !pendingParameters.has(name));
  if (wrong)
    throw refusalOf("pending-update-with-other-parameters", { parameter: wrong, param: wrong });
}

/** Refuses an end that is set in two ways, that is in the past, or that a schedule decides about. */
function checkEnd(
  account: Account,
  subscription: Stripe.Subscription,
  given: { cancel_at?: number | "" | undefined; cancel_at_period_end?: boolean | undefined },
): void {
  const { cancel_at: at, cancel_at_period_end: atPeriodEnd } = given;
  if (at === undefined && atPeriodEnd === undefined) return;
  if (at && atPeriodEnd) throw refusalOf("ends-in-two-ways");
  if (at && at <= now()) throw refusalOf("ends-in-the-past");
  const schedule = scheduleOf(account, subscription);
  if (schedule) throw refusalOf("end-under-a-schedule", { schedule: schedule.id });
}

/** Whether an update names anything but what a subscription that has ended may still change. */
function changesMore({
  metadata: _,
  cancellation_details: __,
  expand: ___,
  ...others
}: object & {
  metadata?: unknown;
  cancellation_details?: unknown;
  expand?: unknown;
}): boolean {
  return Object.values(others).some((value) => value !== undefined);
}

/** A pause ends by itself later than now, or when somebody ends it. */
function checkPause(pause: { resumes_at?: number | undefined } | "" | undefined): void {
  if (pause && pause.resumes_at !== undefined && pause.resumes_at <= now())
    throw refusalOf("pause-ends-in-the-past");
}

function hasTaxLocation({ address }: Stripe.Customer): boolean {
  if (!address?.country) return false;
  return address.country !== "US" || /^\d{5}(-\d{4})?$/.test(address.postal_code ?? "");
}

function cardOf(account: Account, subscription: Stripe.Subscription, id: string): void {
  if (account.state.paymentMethods[id]?.customer !== subscription.customer)
    throw noSuch("PaymentMethod", id, "default_payment_method");
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
    "/v1/subscriptions",
    parameters({
      automatic_tax: z.strictObject({ enabled: flag }).optional(),
      collection_method: z.enum(["charge_automatically", "send_invoice"]).optional(),
      customer: text,
      days_until_due: integer.optional(),
      default_payment_method: text.optional(),
      items: z.array(z.strictObject({ price: text, quantity: integer.optional() })).min(1),
      metadata: metadata.optional(),
    }),
    ({ account, params }): Stripe.Subscription => {
      const buyer = existingCustomer(account.state, params.customer, "customer");
      const { id: customer, email } = buyer;
      if (params.automatic_tax?.enabled && !hasTaxLocation(buyer))
        throw refusalOf("tax-without-a-location");
      const daysUntilDue = params.days_until_due;
      const isInvoiced = params.collection_method === "send_invoice";
      if (isInvoiced && !email) throw refusalOf("invoice-without-an-address");
      if (isInvoiced && daysUntilDue === undefined) throw refusalOf("invoice-without-a-day");
      if (!isInvoiced && daysUntilDue !== undefined) throw refusalOf("day-without-an-invoice");
      const { default_payment_method: card } = params;
      if (card && account.state.paymentMethods[card]?.customer !== customer)
        throw noSuch("PaymentMethod", card, "default_payment_method");
      return subscribe(account, {
        customer,
        items: params.items.map(({ price, quantity }, index) => ({
          price: priceOf(account, price, `items[${index}][price]`),
          quantity: quantity ?? 1,
        })),
        paymentMethod: card ?? null,
        metadata: mergedMetadata({}, params.metadata),
        description: null,
        daysUntilDue: daysUntilDue ?? null,
        automaticTax: params.automatic_tax?.enabled ?? false,
      });
    },
  ),

  endpoint(
    "POST",
    "/v1/subscriptions/:id",
    parameters({
      billing_cycle_anchor: z.strictObject({ type: z.enum(["now", "unchanged"]) }).optional(),
      cancel_at: z.union([z.literal(""), integer]).optional(),
      cancel_at_period_end: flag.optional(),
      cancellation_details: z
        .strictObject({ comment: text.optional(), feedback: text.optional() })
        .optional(),
      default_payment_method: text.optional(),
      description: text.optional(),
      items: z.array(itemParameter).optional(),
      metadata: metadata.optional(),
      off_session: flag.optional(),
      // Of Stripe's behaviours the one that the site uses.
      pause_collection: z
        .union([
          z.literal(""),
          z.strictObject({ behavior: z.literal("void"), resumes_at: integer.optional() }),
        ])
        .optional(),
      payment_behavior: z.enum(payments).optional(),
      proration_behavior: prorationBehavior.optional(),
      proration_date: integer.optional(),
    }),
    ({ account, params, id }): Stripe.Subscription => {
      const subscription = subscriptionOf(account, id);
      if (isOver(subscription) && changesMore(params)) throw refusalOf("change-after-the-end");
      const paymentBehavior = params.payment_behavior ?? "allow_incomplete";
      if (paymentBehavior === "pending_if_incomplete") checkPendingParameters(params);
      if (params.default_payment_method)
        cardOf(account, subscription, params.default_payment_method);
      checkProrationDate(subscription, params);
      checkEnd(account, subscription, params);
      checkPause(params.pause_collection);
      const items = itemChanges(account, subscription, params.items ?? []);
      const startsAnew = params.billing_cycle_anchor?.type === "now";
      const cancels = params.cancel_at_period_end;
      const changes = items.length > 0 || startsAnew;
      const { pause_collection: pause } = params;
      // Before the change: what it charges is collected where the pause ends with it.
      if (pause !== undefined) pauseCollection(account, subscription, pause || null);
      const isMade =
        !changes ||
        changeSubscription(account, subscription, {
          items,
          startsAnew,
          paymentBehavior,
          prorationBehavior: params.proration_behavior ?? "create_prorations",
          prorationDate: params.proration_date,
          metadata: params.metadata ? mergedMetadata(subscription.metadata, params.metadata) : null,
          cancelAtPeriodEnd: cancels ?? null,
        });
      if (!isMade) return subscription;
      const { default_payment_method: card, description } = params;
      updateSubscription(account, subscription, (each) => {
        if (card !== undefined) each.default_payment_method = card || null;
        if (description !== undefined) each.description = description || null;
        each.metadata = mergedMetadata(each.metadata, params.metadata);
      });
      if (params.cancel_at !== undefined)
        cancelOnDay(account, subscription, params.cancel_at || null);
      if (cancels !== undefined)
        cancelAtPeriodEnd(account, subscription, cancels, params.cancellation_details);
      return subscription;
    },
  ),

  endpoint(
    "DELETE",
    "/v1/subscriptions/:id",
    parameters({
      cancellation_details: z
        .strictObject({ comment: text.optional(), feedback: text.optional() })
        .optional(),
      invoice_now: flag.optional(),
      prorate: flag.optional(),
    }),
    ({ account, params, id }): Stripe.Subscription => {
      const subscription = subscriptionOf(account, id);
      if (isOver(subscription)) throw refusalOf("cancel-after-the-end", { subscription: id });
      const { comment } = params.cancellation_details ?? {};
      if (comment && subscription.cancellation_details)
        subscription.cancellation_details.comment = comment;
      endSubscription(account, subscription, now());
      return subscription;
    },
  ),
];
