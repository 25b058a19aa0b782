/**
 * All our cookies except those of the session, with their longest age in seconds. All are `HttpOnly`, `SameSite=Lax`
 * and valid for every path, which the name's prefix on HTTPS demands: see `workers/headers/host-cookies.ts`. A
 * sign-out removes all of them.
 */
export const siteCookies = {
  "after-sign-in": 600,
  "password-recovery": 15 * 60,
  // A mailed code works for ten minutes; the link in the same mail works for longer.
  "code-request": 10 * 60,
  "used-link": 15 * 60,
  // As long as a sign-in is recent.
  "mail-proof": 15 * 60,
  // Google One Tap's token is good for an hour, and its nonce for no longer than a page is looked at.
  "one-tap": 30 * 60,
  "unsaved-form": 30 * 60,
  "contact-receipt": 600,
  // Google's access tokens live for an hour. We keep none for longer, whatever Google answers.
  "google-connection": 3_600,
  "google-consent": 600,
  "connecting-provider": 600,
  // Longer than any session.
  "last-account": 60 * 24 * 3_600,
  "connect-for": 60 * 24 * 3_600,
  "recent-workspaces": 60 * 24 * 3_600,
} as const;

export type SiteCookie = keyof typeof siteCookies;

/** The Set-Cookie header that removes a cookie, whether or not the browser has it. */
export function removalOf(name: SiteCookie): string {
  return `${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`;
}

/**
 * The name of a cookie with the value `1`, by which scripts know that there is probably a session. The header then
 * shows "Dashboard" instead of "Early Access", and private pages ask the server when the cookie disappears. So public
 * pages are the same for everybody and can be cached. The server never reads it, because it proves nothing.
 */
export const signedInHint = "signed-in";

/** Its value in a trial, to which public pages offer what they offer visitors: the sign-up, and the button of a trial. */
export const trialHint = "trial";

/** Whether this browser has the hint cookie, of an account or of a trial. On HTTPS its name has a prefix: see `workers/headers/host-cookies.ts`. */
export function hasSignedInHint(): boolean {
  const prefix = location.protocol === "https:" ? "__Host-" : "";
  return document.cookie.split("; ").some((each) => each.startsWith(`${prefix}${signedInHint}=`));
}
