import type Stripe from "stripe";
import type { Account } from "../account.ts";
import { asOf, realNow } from "../clock.ts";
import { openInvoices, waitingDraft } from "../objects/invoices.ts";
import { currentPeriodEnd, isOver } from "../objects/subscriptions.ts";
import { now } from "../state.ts";
import { becomeOverdue, sendDraft } from "./by-invoice.ts";
import { expireSession } from "./checkout.ts";
import { pauseCollection } from "./pause.ts";
import { chargeInvoice, updateSubscription } from "./payment.ts";
import { afterPayment, expirePending } from "./pending-update.ts";
import { nextAttempt } from "./retries.ts";
import { scheduleOf } from "./schedules.ts";
import { endPhase, endSubscription, type NotPossible, renew } from "./time.ts";

/** Something that happens by itself once its second has come. */
type Due = { at: number; happen(): void };

/**
 * Moves the account's time on and lets everything that is due until then happen, in the order of time:
 * renewals and what ends with a period, phases of schedules, tries to collect a failed payment, and the
 * end of pending updates and Checkout Sessions. From there on time goes on running.
 */
export function advance(account: Account, to: number): NotPossible | { happened: number } {
  const { state } = account;
  if (to < now()) return { notPossible: `It is ${now()} already: time goes forwards only.` };
  const waiting = new Map<string, () => Due | undefined>();
  for (const subscription of Object.values(state.subscriptions))
    if (!isOver(subscription)) waiting.set(subscription.id, () => nextOf(account, subscription));
  for (const session of Object.values(state.checkoutSessions))
    if (session.status === "open") waiting.set(session.id, () => expiryOf(account, session));

  const dues = new Map<string, Due>();
  const update = (id: string, next: () => Due | undefined) => {
    const due = next();
    if (due && due.at <= to) dues.set(id, due);
    else dues.delete(id);
  };
  for (const [id, next] of waiting) update(id, next);
  let happened = 0;
  while (dues.size > 0) {
    const [id, due] = [...dues].reduce((first, each) => (each[1].at < first[1].at ? each : first));
    asOf(state, due.at, () => due.happen());
    happened += 1;
    const next = waiting.get(id);
    if (next) update(id, next);
  }
  state.clockAhead = to - realNow();
  return { happened };
}

function expiryOf(account: Account, session: Stripe.Checkout.Session): Due | undefined {
  if (session.status !== "open") return undefined;
  return { at: session.expires_at, happen: () => expireSession(account, session) };
}

/** What happens to a subscription next. Of what falls on one second, the earlier in this list comes first. */
function nextOf(account: Account, subscription: Stripe.Subscription): Due | undefined {
  if (isOver(subscription)) return undefined;
  const dues: Due[] = [];
  const periodEnd = currentPeriodEnd(subscription);
  const pending = subscription.pending_update;
  if (pending)
    dues.push({
      at: pending.expires_at,
      happen: () => expirePending(account, subscription, pending.expires_at),
    });
  const end = subscription.cancel_at;
  if (end !== null && end < periodEnd)
    dues.push({ at: end, happen: () => endSubscription(account, subscription, end) });
  const schedule = scheduleOf(account, subscription);
  const phaseEnd = schedule?.current_phase?.end_date;
  if (schedule && phaseEnd !== undefined && phaseEnd < periodEnd)
    dues.push({ at: phaseEnd, happen: () => endPhase(account, subscription, schedule, phaseEnd) });
  const resumesAt = subscription.pause_collection?.resumes_at;
  if (resumesAt && resumesAt < periodEnd)
    dues.push({ at: resumesAt, happen: () => pauseCollection(account, subscription, null) });
  const draft = waitingDraft(account.state, subscription);
  const sentAt = draft?.automatically_finalizes_at;
  if (draft && sentAt)
    dues.push({ at: sentAt, happen: () => sendDraft(account, subscription, draft) });
  for (const invoice of openInvoices(account.state, subscription)) {
    const due = invoice.due_date;
    if (due !== null && subscription.status === "active")
      dues.push({ at: due, happen: () => becomeOverdue(account, subscription, invoice) });
    const at = invoice.next_payment_attempt;
    if (at !== null)
      dues.push({ at, happen: () => collectAgain(account, subscription, invoice, at) });
  }
  dues.push({ at: periodEnd, happen: () => void renew(account, subscription) });
  return dues.reduce((first, each) => (each.at < first.at ? each : first));
}

/** Tries again to collect a failed payment. After the last try the subscription ends, or is left as it was set. */
function collectAgain(
  account: Account,
  subscription: Stripe.Subscription,
  invoice: Stripe.Invoice,
  at: number,
): void {
  const next = nextAttempt(invoice.attempt_count + 1, at);
  if (chargeInvoice(account, subscription, invoice, { at, next }) === "paid") {
    afterPayment(account, subscription, invoice);
    return;
  }
  if (next !== null) return;
  const { afterRetries } = account.state;
  if (afterRetries === "cancel") endUnpaid(account, subscription, at);
  else
    updateSubscription(account, subscription, (each) => {
      each.status = afterRetries;
    });
}

function endUnpaid(account: Account, subscription: Stripe.Subscription, at: number): void {
  if (subscription.cancellation_details)
    subscription.cancellation_details.reason = "payment_failed";
  endSubscription(account, subscription, at);
}
