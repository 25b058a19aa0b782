/**
 * Every cookie of ours besides those of the session, with the seconds that it lives at most. All are
 * `HttpOnly`, `SameSite=Lax` and for every path, as the prefix demands that they get on HTTPS: see
 * `workers/headers/host-cookies.ts`. A sign-out removes them all.
 */
export const siteCookies = {
  "after-sign-in": 600,
  "password-recovery": 15 * 60,
  // For how long a code works; the link in the same mail works for longer.
  "code-request": 10 * 60,
  "used-link": 15 * 60,
  "unsaved-form": 30 * 60,
  "contact-receipt": 600,
  // Google's access tokens live an hour; ours never longer, whatever Google says.
  "google-connection": 3_600,
  "google-consent": 600,
  "connecting-provider": 600,
  // Longer than any session.
  "last-account": 60 * 24 * 3_600,
} as const;

export type SiteCookie = keyof typeof siteCookies;

/** The Set-Cookie header that removes a cookie, whether or not the browser has it. */
export function removalOf(name: SiteCookie): string {
  return `${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`;
}
