import type Stripe from "stripe";
import { z } from "zod";
import type { Account } from "../account.ts";
import { invalidRequest, type StripeRefusal } from "../errors.ts";
import { type PlannedChange, planChange, timeOf } from "../flows/change-plan.ts";
import { periodLines } from "../flows/payment.ts";
import { itemsFrom, phasesAround, scheduleOf } from "../flows/schedules.ts";
import { existingCustomer } from "../objects/customers.ts";
import { makeInvoice } from "../objects/invoices.ts";
import {
  currentPeriodEnd,
  currentPeriodStart,
  isOver,
  nextPeriod,
} from "../objects/subscriptions.ts";
import { flag, integer, parameters, text } from "../parameters.ts";
import { refusalOf } from "../rules/rules.ts";
import type { LineTerms } from "../state.ts";
import { idOf, onTheWire } from "../state.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { existingSchedule } from "./schedules.ts";
import {
  checkProrationDate,
  itemChanges,
  itemParameter,
  prorationBehavior,
} from "./subscription-changes.ts";
import { subscriptionOf } from "./subscriptions.ts";

const details = z.strictObject({
  billing_cycle_anchor: z.strictObject({ type: z.enum(["now", "unchanged"]) }).optional(),
  cancel_at_period_end: flag.optional(),
  items: z.array(itemParameter).optional(),
  proration_behavior: prorationBehavior.optional(),
  proration_date: integer.optional(),
});

/** `/v1/invoices/create_preview` */
export const previewEndpoints: Endpoint[] = [
  endpoint(
    "POST",
    "/v1/invoices/create_preview",
    parameters({
      customer: text.optional(),
      preview_mode: z.enum(["next"]).optional(),
      schedule: text.optional(),
      subscription: text.optional(),
      subscription_details: details.optional(),
    }),
    ({ account, params }): Stripe.Invoice => {
      const subscription = previewed(account, params);
      if (params.customer !== undefined && subscription.customer !== params.customer)
        throw refusalOf("preview-of-another-customer", {
          subscription: subscription.id,
          customer: params.customer,
        });
      return preview(account, subscription, params.subscription_details ?? {});
    },
  ),
];

function previewed(
  account: Account,
  given: { schedule?: string | undefined; subscription?: string | undefined },
): Stripe.Subscription {
  if (given.schedule !== undefined && given.subscription !== undefined)
    throw refusalOf("preview-of-subscription-and-schedule");
  if (given.subscription !== undefined)
    return subscriptionOf(account, given.subscription, "subscription");
  if (given.schedule === undefined)
    throw invalidRequest(
      "The fake previews the invoices of subscriptions and schedules only.",
      "subscription",
      "parameter_missing",
    );
  const { subscription } = existingSchedule(account, given.schedule, "schedule");
  if (subscription === null)
    throw invalidRequest("The schedule has no subscription any more.", "schedule");
  return subscriptionOf(account, idOf(subscription));
}

function preview(
  account: Account,
  subscription: Stripe.Subscription,
  given: z.output<typeof details>,
): Stripe.Invoice {
  if (isOver(subscription)) throw noneUpcoming(subscription);
  const param = (name: string) => `subscription_details[${name}]`;
  const { proration_behavior: behavior, proration_date: date } = given;
  checkProrationDate(subscription, given, true);
  const planned = planChange(account, subscription, {
    items: itemChanges(account, subscription, given.items ?? [], param("items")),
    prorationBehavior: behavior ?? "create_prorations",
    prorationDate: date,
    startsAnew: given.billing_cycle_anchor?.type === "now",
  });
  const ends = given.cancel_at_period_end ?? subscription.cancel_at_period_end;
  return planned.invoicesNow
    ? invoiceNow(account, subscription, planned)
    : nextInvoice(account, subscription, planned, ends);
}

function invoiceNow(
  account: Account,
  subscription: Stripe.Subscription,
  planned: PlannedChange,
): Stripe.Invoice {
  const at = timeOf(subscription);
  return upcoming(account, subscription, { at, periodStart: at, lines: planned.lines });
}

/** The invoice at the period's end, with the prorations that wait for it. */
function nextInvoice(
  account: Account,
  subscription: Stripe.Subscription,
  planned: PlannedChange,
  ends: boolean,
): Stripe.Invoice {
  const then: Stripe.Subscription = onTheWire({
    ...subscription,
    items: { ...subscription.items, data: planned.items },
  });
  const at = currentPeriodEnd(then);
  const periodStart = currentPeriodStart(then);
  const schedule = scheduleOf(account, subscription);
  const changes = schedule?.current_phase?.end_date === at;
  const phase = schedule && changes ? phasesAround(schedule).next : undefined;
  if (phase) then.items.data = itemsFrom(account, then, phase, at);
  else nextPeriod(then);
  const isLast = schedule !== undefined && changes && !phase && schedule.end_behavior === "cancel";
  const waiting = [...(account.state.pendingLines[subscription.id] ?? []), ...planned.waiting];
  const lines = ends || isLast ? waiting : [...waiting, ...periodLines(account, then)];
  if (lines.length === 0) throw noneUpcoming(subscription);
  return upcoming(account, subscription, { at, periodStart, lines });
}

function upcoming(
  account: Account,
  subscription: Stripe.Subscription,
  occasion: { at: number; periodStart: number; lines: LineTerms[] },
): Stripe.Invoice {
  const customer = existingCustomer(account.state, idOf(subscription.customer));
  return makeInvoice(account.state, { customer, subscription, reason: "upcoming", ...occasion });
}

function noneUpcoming(subscription: Stripe.Subscription): StripeRefusal {
  return refusalOf("preview-of-nothing", { customer: idOf(subscription.customer) });
}
