import { sha256Hex } from "~/http/hashes";

const lifetimeMs = 5 * 60 * 1_000;

/**
 * An idempotency key that changes every five minutes; `now` is in milliseconds. Stripe stores the answer to a
 * key for a day, even a failure. Five minutes are longer than anybody retries, and short enough that a stored
 * failure does not lock somebody out.
 */
export function idempotencyKey(name: string, now = Date.now()): string {
  return `${name}-${Math.floor(now / lifetimeMs)}`;
}

/**
 * Whether a request for the same thing may have been sent with another key: true when the key has changed since
 * `began` or changed in the last 30 seconds, the longest that a request to Stripe takes. In milliseconds.
 */
export function keyChangesAround(began: number, now = Date.now()): boolean {
  const slowestRequestMs = 30_000;
  return (
    Math.floor(began / lifetimeMs) !== Math.floor(now / lifetimeMs) ||
    now % lifetimeMs < slowestRequestMs
  );
}

/** A short hash of a text, in hexadecimal. Stripe stores and shows keys, so they must not contain an address. */
export function fingerprint(text: string): Promise<string> {
  return sha256Hex(text, 8);
}
