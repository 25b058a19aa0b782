/** The auth client refreshes a token with less than 90 s left. A page asks when 75 s are left, so that it does. */
const marginSeconds = 75;
/** The shortest pause between two questions, however short tokens live. */
const leastSeconds = 15;
/** The longest pause: a visible page notices within this time that its session was ended elsewhere. */
const maxSeconds = 60;

/**
 * After how many seconds a page should ask the server about its session, which also refreshes a token that ends
 * soon. `expiresAt` is the end of the token in Unix seconds.
 */
export function secondsUntilRefresh(expiresAt: number): number {
  const left = expiresAt - Math.floor(Date.now() / 1000);
  return Math.min(maxSeconds, Math.max(leastSeconds, left - marginSeconds));
}
