import type Stripe from "stripe";
import type { Account } from "../account.ts";
import { finalize, markVoid } from "../objects/invoices.ts";
import { updateSubscription } from "./payment.ts";

/**
 * Pauses the collection of payments, or ends that. The subscription stays active and renews; its invoices are void.
 * https://docs.stripe.com/billing/subscriptions/pause-payment
 */
export function pauseCollection(
  account: Account,
  subscription: Stripe.Subscription,
  pause: { behavior: "void"; resumes_at?: number | undefined } | null,
): void {
  updateSubscription(account, subscription, (each) => {
    each.pause_collection = pause && { ...pause, resumes_at: pause.resumes_at ?? null };
  });
}

/** Whether invoices of this second are void. A pause that is over by then ends. */
export function isPausedAt(
  account: Account,
  subscription: Stripe.Subscription,
  at: number,
): boolean {
  const pause = subscription.pause_collection;
  if (!pause) return false;
  if (pause.resumes_at === null || at < pause.resumes_at) return true;
  pauseCollection(account, subscription, null);
  return false;
}

/** An invoice that is made during a pause is void at once, and uses nothing of the customer's balance. */
export function voidAtOnce(
  account: Account,
  number: string,
  invoice: Stripe.Invoice,
  at: number,
): void {
  finalize(invoice, number, account.baseUrl);
  account.record("invoice.finalized", invoice);
  markVoid(invoice, at);
  account.record("invoice.voided", invoice);
}
