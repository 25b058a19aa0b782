/** The auth client refreshes a token with less than 90 s left; asking a little later finds it due. */
const marginSeconds = 75;
/** However short tokens live, nobody asks more often. */
const leastSeconds = 15;
/** A session that was ended elsewhere is noticed by the pages that somebody looks at. */
const maxSeconds = 60;

/**
 * In how many seconds a page should ask whether its session lives, which also refreshes a token that
 * ends soon. The token ends at this Unix time.
 */
export function secondsUntilRefresh(expiresAt: number): number {
  const left = expiresAt - Math.floor(Date.now() / 1000);
  return Math.min(maxSeconds, Math.max(leastSeconds, left - marginSeconds));
}
