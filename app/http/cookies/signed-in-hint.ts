/**
 * The name of a cookie with the value `1` that tells scripts whether there is probably a session. The header then
 * shows "Dashboard" instead of "Early Access", and private pages ask the server when the cookie disappears. So public
 * pages are the same for everybody and can be cached. The server never reads it, because it proves nothing.
 */
export const signedInHint = "signed-in";

/** Whether this browser has the hint cookie. On HTTPS its name has a prefix: see `workers/headers/host-cookies.ts`. */
export function hasSignedInHint(): boolean {
  const prefix = location.protocol === "https:" ? "__Host-" : "";
  return document.cookie.split("; ").includes(`${prefix}${signedInHint}=1`);
}
