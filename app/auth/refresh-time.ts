/** The auth client refreshes a token with less than 90 s left; asking a little later finds it due. */
const marginSeconds = 75;
/** However short tokens live, nobody asks more often. */
const leastSeconds = 15;

/** In how many seconds a page should ask for a refresh of a token that ends at this Unix time. */
export function secondsUntilRefresh(expiresAt: number): number {
  const left = expiresAt - Math.floor(Date.now() / 1000);
  return Math.max(leastSeconds, left - marginSeconds);
}
