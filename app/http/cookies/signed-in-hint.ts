/**
 * Name of a cookie without secrets, `1`, that tells scripts in pages whether there is a session: the
 * header shows `Dashboard` instead of `Early Access`, and private pages look again when it goes.
 * Public pages thereby stay the same for everybody and can be cached. It proves nothing: the server
 * never reads it.
 */
export const signedInHint = "signed-in";

/** Whether this browser has the hint. On HTTPS our cookies have a prefix: `workers/headers/host-cookies.ts`. */
export function hasSignedInHint(): boolean {
  const prefix = location.protocol === "https:" ? "__Host-" : "";
  return document.cookie.split("; ").includes(`${prefix}${signedInHint}=1`);
}
