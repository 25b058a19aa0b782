import type { TokenScope } from "./token";

const forgottenAfterMs = 60_000;
const maxRemembered = 1_000;
const refusedAt = new Map<string, number>();

/**
 * Remembers the hash of a token that the database refused for a scope, for a minute and in this isolate only. A token
 * that is unknown, revoked, ended or for something else never becomes valid for it later, so refusing it again without
 * the database is safe.
 */
export function rememberRefused(tokenHash: string, scope: TokenScope, now = Date.now()): void {
  if (refusedAt.size >= maxRemembered) refusedAt.clear();
  refusedAt.set(`${scope} ${tokenHash}`, now);
}

export function wasRefused(tokenHash: string, scope: TokenScope, now = Date.now()): boolean {
  const last = refusedAt.get(`${scope} ${tokenHash}`) ?? Number.NEGATIVE_INFINITY;
  return now - last < forgottenAfterMs;
}
