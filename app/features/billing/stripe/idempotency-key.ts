import { sha256Hex } from "~/http/encodings/sha256";

const lifetimeMs = 5 * 60 * 1_000;

/**
 * The key of something that must not happen twice when it is asked for twice. Stripe keeps the
 * answer under a key for a day, failures too, so a key is good for minutes: longer than anybody
 * retries, and short enough that a failure does not lock somebody out.
 */
export function idempotencyKey(name: string, now = Date.now()): string {
  return `${name}-${Math.floor(now / lifetimeMs)}`;
}

/**
 * Whether a request with another key for the same thing may have been under way just now: keys change
 * at the end of each lifetime, and a request to Stripe lasts half a minute at most.
 */
export function keyChangesAround(began: number, now = Date.now()): boolean {
  const slowestRequestMs = 30_000;
  return (
    Math.floor(began / lifetimeMs) !== Math.floor(now / lifetimeMs) ||
    now % lifetimeMs < slowestRequestMs
  );
}

/** A short text that stands for a long one: keys are kept and shown by Stripe, so they carry no address. */
export function fingerprint(text: string): Promise<string> {
  return sha256Hex(text, 8);
}
