import type Stripe from "stripe";
import type { Account } from "../account.ts";
import { openInvoices } from "../objects/invoices.ts";
import {
  currentPeriodEnd,
  currentPeriodStart,
  isOver,
  nextPeriod,
} from "../objects/subscriptions.ts";
import { now, onTheWire } from "../state.ts";
import { beginPhase } from "./change.ts";
import { hasSameInterval } from "./change-plan.ts";
import { isPausedAt, voidAtOnce } from "./pause.ts";
import {
  chargeInvoice,
  draftInvoice,
  finalizeInvoice,
  nextNumber,
  updateSubscription,
} from "./payment.ts";
import { afterPayment, expirePending } from "./pending-update.ts";
import { nextAttempt } from "./retries.ts";
import {
  cancelSchedule,
  enterPhase,
  itemsFrom,
  phasesAround,
  releaseSchedule,
  scheduleOf,
} from "./schedules.ts";

/** Why a subscription cannot be moved on. */
export type NotPossible = { notPossible: string };

/** Moves time to the end of the subscription's period: the subscription renews, becomes past due, or ends. */
export function renew(
  account: Account,
  subscription: Stripe.Subscription,
): NotPossible | undefined {
  if (isOver(subscription)) return { notPossible: "This subscription has ended." };
  const at = currentPeriodEnd(subscription);
  const schedule = scheduleOf(account, subscription);
  const phaseEnd = schedule?.current_phase?.end_date;
  if (schedule && phaseEnd !== undefined && phaseEnd < at) {
    endPhase(account, subscription, schedule, phaseEnd);
    return renew(account, subscription);
  }
  const isPaused = isPausedAt(account, subscription, at);
  expirePending(account, subscription, at);
  if (subscription.cancel_at_period_end || subscription.cancel_at === at) {
    endSubscription(account, subscription, at);
    return undefined;
  }
  const next = schedule && phaseEnd === at ? phasesAround(schedule).next : undefined;
  if (schedule && phaseEnd === at && !next) endSchedule(account, subscription, schedule, at);
  if (isOver(subscription)) return undefined;
  const periodStart = currentPeriodStart(subscription);
  if (schedule && next) enterPhase(account, subscription, schedule, next);
  const before = onTheWire(subscription);
  if (next) beginPeriodWith(account, subscription, next, at);
  else nextPeriod(subscription);
  const invoice = draftInvoice(account, subscription, {
    reason: "subscription_cycle",
    at,
    periodStart,
  });
  account.record("customer.subscription.updated", subscription, before);
  // Nobody is charged for a subscription that was given up: its invoices stay drafts.
  if (subscription.status === "unpaid") {
    invoice.auto_advance = false;
    return undefined;
  }
  if (isPaused) {
    voidAtOnce(account, nextNumber(account, subscription), invoice, at);
    return undefined;
  }
  if (invoice.automatically_finalizes_at !== null) return undefined;
  finalizeInvoice(account, subscription, invoice);
  const attempt = { at, next: nextAttempt(1, at) };
  if (chargeInvoice(account, subscription, invoice, attempt) === "paid")
    afterPayment(account, subscription, invoice);
  else
    updateSubscription(account, subscription, (each) => {
      each.status = "past_due";
    });
  return undefined;
}

function beginPeriodWith(
  account: Account,
  subscription: Stripe.Subscription,
  phase: Stripe.SubscriptionSchedule.Phase,
  at: number,
): void {
  const [item] = subscription.items.data;
  const items = itemsFrom(account, subscription, phase, at);
  subscription.items.data = items;
  if (item && items[0] && !hasSameInterval(item.price, items[0].price))
    subscription.billing_cycle_anchor = at;
}

/** What happens when a phase ends within a period: the next begins, or the schedule is over. */
export function endPhase(
  account: Account,
  subscription: Stripe.Subscription,
  schedule: Stripe.SubscriptionSchedule,
  at: number,
): void {
  const { next } = phasesAround(schedule);
  if (next) beginPhase(account, subscription, schedule, next);
  else endSchedule(account, subscription, schedule, at);
}

function endSchedule(
  account: Account,
  subscription: Stripe.Subscription,
  schedule: Stripe.SubscriptionSchedule,
  at: number,
): void {
  if (schedule.end_behavior === "cancel") endSubscription(account, subscription, at);
  else releaseSchedule(account, schedule, at, "completed");
}

/** Tries again to charge the open invoices. If the card pays, the subscription is active again. */
export function payOpenInvoice(
  account: Account,
  subscription: Stripe.Subscription,
): NotPossible | undefined {
  const open = openInvoices(account.state, subscription);
  if (open.length === 0) return { notPossible: "No invoice of this subscription is open." };
  for (const invoice of open)
    if (
      chargeInvoice(account, subscription, invoice, { at: now() }) === "paid" &&
      !isOver(subscription)
    )
      afterPayment(account, subscription, invoice);
  return undefined;
}

/** Sets or removes the end of the subscription with its period. */
export function cancelAtPeriodEnd(
  account: Account,
  subscription: Stripe.Subscription,
  cancels: boolean,
  details: { comment?: string | undefined; feedback?: string | undefined } = {},
): void {
  if (subscription.cancel_at_period_end === cancels) return;
  updateSubscription(account, subscription, (each) => {
    each.cancel_at_period_end = cancels;
    each.cancel_at = cancels ? currentPeriodEnd(each) : null;
    each.canceled_at = cancels ? now() : null;
    each.cancellation_details = {
      comment: (cancels && details.comment) || null,
      feedback: (cancels && details.feedback) || null,
      feedback_option: null,
      reason: cancels ? "cancellation_requested" : null,
    };
  });
}

/** Sets the day on which the subscription ends, or takes it back; what it has paid for beyond is lost. */
export function cancelOnDay(
  account: Account,
  subscription: Stripe.Subscription,
  day: number | null,
): void {
  updateSubscription(account, subscription, (each) => {
    each.cancel_at = day;
    each.cancel_at_period_end = false;
    each.canceled_at = day === null ? null : now();
    if (each.cancellation_details)
      each.cancellation_details.reason = day === null ? null : "cancellation_requested";
  });
}

/**
 * Ends the subscription for good. Open invoices stay open but are no longer collected; that of a pending
 * update is void.
 */
export function endSubscription(
  account: Account,
  subscription: Stripe.Subscription,
  at: number,
): void {
  expirePending(account, subscription, at);
  const schedule = scheduleOf(account, subscription);
  if (schedule) cancelSchedule(account, schedule, at);
  subscription.status = "canceled";
  subscription.canceled_at ??= at;
  subscription.ended_at = at;
  if (subscription.cancellation_details)
    subscription.cancellation_details.reason ??= "cancellation_requested";
  for (const invoice of openInvoices(account.state, subscription)) {
    invoice.auto_advance = false;
    invoice.next_payment_attempt = null;
  }
  account.record("customer.subscription.deleted", subscription);
}
