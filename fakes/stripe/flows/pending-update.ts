import type Stripe from "stripe";
import type { Account } from "../account.ts";
import { changeBalance } from "../objects/credit.ts";
import { markVoid, openInvoices } from "../objects/invoices.ts";
import { cancelPayment } from "../objects/payments.ts";
import { currentPeriodEnd, isOver } from "../objects/subscriptions.ts";
import { idOf, now, onTheWire } from "../state.ts";
import type { PlannedChange } from "./change-plan.ts";
import { type ChargeOutcome, chargeInvoice, updateSubscription } from "./payment.ts";

const maxWait = 23 * 60 * 60;

/**
 * Keeps a change until its invoice is paid. It waits for 23 hours, and never past the period.
 * https://docs.stripe.com/billing/subscriptions/pending-updates
 */
export function keepPending(
  account: Account,
  subscription: Stripe.Subscription,
  planned: PlannedChange,
  at: number,
  metadata: Stripe.Metadata | null,
  cancelAtPeriodEnd: boolean | null,
): void {
  updateSubscription(account, subscription, (each) => {
    each.pending_update = onTheWire<Stripe.Subscription.PendingUpdate>({
      billing_cycle_anchor: planned.anchor === each.billing_cycle_anchor ? null : planned.anchor,
      cancel_at_period_end: cancelAtPeriodEnd,
      discount: null,
      discounts: null,
      expires_at: Math.min(at + maxWait, currentPeriodEnd(each)),
      metadata,
      subscription_items: planned.items,
      trial_end: null,
      trial_from_plan: null,
    });
  });
}

/** The pending update that an invoice is for. */
function pendingFor(
  subscription: Stripe.Subscription,
  invoice: Stripe.Invoice,
): Stripe.Subscription.PendingUpdate | null {
  const latest = subscription.latest_invoice;
  return latest && idOf(latest) === invoice.id ? subscription.pending_update : null;
}

/** What the payment of an invoice changes: a pending update applies, and what was owed is settled. */
export function afterPayment(
  account: Account,
  subscription: Stripe.Subscription,
  invoice: Stripe.Invoice,
): void {
  const pending = pendingFor(subscription, invoice);
  if (!pending) {
    becomeActive(account, subscription, invoice);
    return;
  }
  updateSubscription(account, subscription, (each) => {
    each.pending_update = null;
    if (pending.subscription_items) each.items.data = pending.subscription_items;
    if (pending.billing_cycle_anchor !== null)
      each.billing_cycle_anchor = pending.billing_cycle_anchor;
    if (pending.metadata) each.metadata = pending.metadata;
    if (pending.cancel_at_period_end !== null) {
      each.cancel_at_period_end = pending.cancel_at_period_end;
      each.cancel_at = pending.cancel_at_period_end ? currentPeriodEnd(each) : null;
    }
  });
  account.record("customer.subscription.pending_update_applied", subscription);
}

/** Makes a past due or unpaid subscription active again, after its newest invoice was paid or voided. */
function becomeActive(
  account: Account,
  subscription: Stripe.Subscription,
  invoice: Stripe.Invoice,
): void {
  const latest = subscription.latest_invoice;
  const isNewest = latest !== null && idOf(latest) === invoice.id;
  if (!isNewest && openInvoices(account.state, subscription).length > 0) return;
  const { status } = subscription;
  if (status === "past_due" || status === "unpaid" || status === "incomplete")
    updateSubscription(account, subscription, (each) => {
      each.status = "active";
    });
}

/**
 * Charges an open invoice now, as a person or the API asks for. With `authenticated` its owner has just
 * confirmed the payment to their bank.
 */
export function payInvoice(
  account: Account,
  invoice: Stripe.Invoice,
  {
    card,
    authenticated = false,
  }: { card?: Stripe.PaymentMethod | undefined; authenticated?: boolean } = {},
): ChargeOutcome {
  const subscription = subscriptionFor(account, invoice);
  if (!subscription) throw new Error(`Invoice ${invoice.id} belongs to no subscription.`);
  const outcome = chargeInvoice(account, subscription, invoice, { at: now(), card, authenticated });
  if (outcome === "paid" && !isOver(subscription)) afterPayment(account, subscription, invoice);
  return outcome;
}

/** The subscription that an invoice is for. */
function subscriptionFor(
  account: Account,
  invoice: Stripe.Invoice,
): Stripe.Subscription | undefined {
  const reference = invoice.parent?.subscription_details?.subscription;
  return reference ? account.state.subscriptions[idOf(reference)] : undefined;
}

/** Gives up an open invoice, and the pending update that it is for. What it used of the balance comes back. */
export function voidInvoice(account: Account, invoice: Stripe.Invoice, at: number): void {
  markVoid(invoice, at);
  cancelPayment(account, invoice, at);
  giveBackBalance(account, invoice);
  account.record("invoice.voided", invoice);
  const subscription = subscriptionFor(account, invoice);
  if (!subscription || isOver(subscription)) return;
  if (pendingFor(subscription, invoice))
    updateSubscription(account, subscription, (each) => {
      each.pending_update = null;
    });
  else becomeActive(account, subscription, invoice);
}

function giveBackBalance(account: Account, invoice: Stripe.Invoice): void {
  const customer = invoice.customer ? account.state.customers[idOf(invoice.customer)] : undefined;
  const used = invoice.total - invoice.amount_due;
  if (!customer || customer.deleted || used === 0) return;
  changeBalance(account, customer, {
    amount: -used,
    currency: invoice.currency,
    type: "unapplied_from_invoice",
    invoice: invoice.id,
  });
}

/** Discards a pending update that nobody paid for. */
export function expirePending(
  account: Account,
  subscription: Stripe.Subscription,
  at: number,
): void {
  if (!subscription.pending_update) return;
  const latest = subscription.latest_invoice;
  const invoice = latest ? account.state.invoices[idOf(latest)] : undefined;
  if (invoice?.status === "open") voidInvoice(account, invoice, at);
  account.record("customer.subscription.pending_update_expired", subscription);
}
