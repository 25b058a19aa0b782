const forgottenAfterMs = 60_000;
const maxRemembered = 1_000;
const refusedAt = new Map<string, number>();

/**
 * Remembers the hash of a token that the database does not know, for a minute and in this isolate only. An
 * unknown or revoked token never becomes valid later, so refusing it again without the database is safe.
 */
export function rememberRefused(tokenHash: string, now = Date.now()): void {
  if (refusedAt.size >= maxRemembered) refusedAt.clear();
  refusedAt.set(tokenHash, now);
}

export function wasRefused(tokenHash: string, now = Date.now()): boolean {
  return now - (refusedAt.get(tokenHash) ?? Number.NEGATIVE_INFINITY) < forgottenAfterMs;
}
