const day = 24 * 60 * 60;

/**
 * Days between the tries to charge a failed renewal. Smart Retries choose their own times; these are the
 * longest waits that a retry schedule of one's own allows.
 * https://docs.stripe.com/billing/revenue-recovery/smart-retries
 */
const waits = [3 * day, 5 * day, 7 * day];

/** When a failed renewal is tried again, after so many failed tries; null when it is given up. */
export function nextAttempt(failed: number, at: number): number | null {
  const wait = waits[failed - 1];
  return wait === undefined ? null : at + wait;
}
