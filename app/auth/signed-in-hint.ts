/**
 * A cookie without secrets that tells the page's inline script to show `Dashboard` instead of
 * `Early Access`, so that public pages stay the same for everybody and can be cached.
 * It proves nothing: the server never reads it.
 */
const signedInHintName = "signed-in";

type WrittenCookie = { name: string; value: string; options: { maxAge?: number | undefined } };

/** The hint's Set-Cookie header that goes with these session cookies, if they change who is in. */
export function signedInHint(cookies: readonly WrittenCookie[], secure: boolean) {
  const tokens = cookies.filter(({ name }) => /-auth-token(\.\d+)?$/.test(name));
  if (tokens.length === 0) return;
  const kept = tokens.find(({ value, options }) => value !== "" && options.maxAge !== 0);
  return [
    `${signedInHintName}=${kept ? "1" : ""}`,
    "Path=/",
    "SameSite=Lax",
    `Max-Age=${kept ? (kept.options.maxAge ?? 31_536_000) : 0}`,
    ...(secure ? ["Secure"] : []),
  ].join("; ");
}
