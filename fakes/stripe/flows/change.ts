import type Stripe from "stripe";
import type { Account } from "../account.ts";
import { asOf } from "../clock.ts";
import { cardRefusal } from "../errors.ts";
import { cardFor, existingCustomer } from "../objects/customers.ts";
import { makeInvoice } from "../objects/invoices.ts";
import { currentPeriodStart } from "../objects/subscriptions.ts";
import { idOf, onTheWire } from "../state.ts";
import { type Change, type PlannedChange, planChange, timeOf } from "./change-plan.ts";
import { chargeInvoice, draftInvoice, finalizeInvoice, updateSubscription } from "./payment.ts";
import { afterPayment, expirePending, keepPending } from "./pending-update.ts";
import { nextAttempt } from "./retries.ts";
import { enterPhase, followItems, phaseItems, prorationOf } from "./schedules.ts";

export type PaymentBehavior =
  | "allow_incomplete"
  | "default_incomplete"
  | "error_if_incomplete"
  | "pending_if_incomplete";

type PaymentTerms = {
  paymentBehavior: PaymentBehavior;
  /** What else a pending update keeps until it applies. */
  metadata: Stripe.Metadata | null;
  cancelAtPeriodEnd: boolean | null;
};

/**
 * Changes what a subscription charges for. Says whether the change is made: a pending one is not, and
 * with `error_if_incomplete` a failed payment throws and leaves everything as it was.
 */
export function changeSubscription(
  account: Account,
  subscription: Stripe.Subscription,
  terms: Change & PaymentTerms,
): boolean {
  const at = timeOf(subscription);
  // A change of the items takes the place of one that still waits to be paid.
  expirePending(account, subscription, at);
  const planned = planChange(account, subscription, terms);
  if (planned.invoicesNow && terms.paymentBehavior === "error_if_incomplete")
    refuseUnpayable(account, subscription, planned);
  return carryOut(account, subscription, planned, terms);
}

/** Makes a planned change, or keeps it until it is paid. Says whether it is made. */
function carryOut(
  account: Account,
  subscription: Stripe.Subscription,
  planned: PlannedChange,
  { paymentBehavior, metadata, cancelAtPeriodEnd }: PaymentTerms,
): boolean {
  const waits = paymentBehavior === "pending_if_incomplete" && planned.invoicesNow;
  if (!waits) apply(account, subscription, planned);
  if (!planned.invoicesNow) return true;
  const at = timeOf(subscription);
  const before = onTheWire(subscription);
  const invoice = draftInvoice(account, subscription, {
    reason: "subscription_update",
    at,
    periodStart: waits ? currentPeriodStart(subscription) : at,
    lines: planned.lines,
    withoutWaiting: waits,
  });
  finalizeInvoice(account, subscription, invoice);
  account.record("customer.subscription.updated", subscription, before);
  const outcome =
    paymentBehavior === "default_incomplete" && invoice.amount_due > 0
      ? "declined"
      : chargeInvoice(account, subscription, invoice, {
          at,
          next: waits ? null : nextAttempt(1, at),
        });
  if (outcome === "paid") {
    if (waits) apply(account, subscription, planned);
    else afterPayment(account, subscription, invoice);
    return true;
  }
  if (waits) {
    keepPending(account, subscription, planned, at, metadata, cancelAtPeriodEnd);
    return false;
  }
  updateSubscription(account, subscription, (each) => {
    each.status = "past_due";
  });
  return true;
}

/**
 * Moves a subscription into the next phase of its schedule, where that begins within a period; at the
 * period's end the renewal does it. After the last phase the schedule is over.
 */
export function beginPhase(
  account: Account,
  subscription: Stripe.Subscription,
  schedule: Stripe.SubscriptionSchedule,
  phase: Stripe.SubscriptionSchedule.Phase,
): void {
  asOf(account.state, phase.start_date, () => {
    expirePending(account, subscription, phase.start_date);
    enterPhase(account, subscription, schedule, phase);
    const planned = planChange(account, subscription, {
      items: phaseItems(account, subscription, phase),
      prorationBehavior: prorationOf(phase),
      startsAnew: phase.billing_cycle_anchor === "phase_start",
    });
    carryOut(account, subscription, planned, {
      paymentBehavior: "allow_incomplete",
      metadata: null,
      cancelAtPeriodEnd: null,
    });
  });
}

function apply(account: Account, subscription: Stripe.Subscription, planned: PlannedChange): void {
  const { pendingLines } = account.state;
  if (planned.waiting.length > 0)
    pendingLines[subscription.id] = [...(pendingLines[subscription.id] ?? []), ...planned.waiting];
  updateSubscription(account, subscription, (each) => {
    each.items.data = planned.items;
    each.billing_cycle_anchor = planned.anchor;
  });
  followItems(account, subscription);
}

/** Throws what the API answers when the invoice of a change could not be paid. */
function refuseUnpayable(
  account: Account,
  subscription: Stripe.Subscription,
  planned: PlannedChange,
): void {
  const { state } = account;
  const at = timeOf(subscription);
  const { amount_due } = makeInvoice(state, {
    customer: existingCustomer(state, idOf(subscription.customer)),
    subscription,
    reason: "upcoming",
    at,
    periodStart: at,
    lines: [...(state.pendingLines[subscription.id] ?? []), ...planned.lines],
  });
  const card = cardFor(state, subscription);
  const behaviour = card && state.cardBehaviours[card.id];
  if (amount_due === 0 || behaviour === "good") return;
  throw cardRefusal(
    behaviour === "authenticating"
      ? "subscription_payment_intent_requires_action"
      : "card_declined",
  );
}
