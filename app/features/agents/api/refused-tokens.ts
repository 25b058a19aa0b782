const forgottenAfterMs = 60_000;
const most = 1_000;
const refusedAt = new Map<string, number>();

/**
 * Keeps in this isolate, for a minute, that the database does not know a token, named by its hash. A token
 * that is unknown or revoked never becomes good again.
 */
export function rememberRefused(tokenHash: string, now = Date.now()): void {
  if (refusedAt.size >= most) refusedAt.clear();
  refusedAt.set(tokenHash, now);
}

export function wasRefused(tokenHash: string, now = Date.now()): boolean {
  return now - (refusedAt.get(tokenHash) ?? Number.NEGATIVE_INFINITY) < forgottenAfterMs;
}
