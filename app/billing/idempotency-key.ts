const lifetimeMs = 5 * 60 * 1_000;

/**
 * The key of something that must not happen twice when it is asked for twice. Stripe keeps the
 * answer under a key for a day, failures too, so a key is good for minutes: longer than anybody
 * retries, and short enough that a failure does not lock somebody out.
 */
export function idempotencyKey(name: string, now = Date.now()): string {
  return `${name}-${Math.floor(now / lifetimeMs)}`;
}
