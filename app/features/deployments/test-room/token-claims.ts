import { fromBase64url } from "~/http/encodings";

type Claims = { exp: number; video: Record<string, unknown> } & Record<string, unknown>;

/** What an access token says, without looking at its signature: only the server can. Undefined for any other text. */
export function claimsOf(token: string): Claims | undefined {
  const [head, body, signature, ...more] = token.split(".");
  if (!head || !body || !signature || more.length > 0) return;
  try {
    const claims = JSON.parse(new TextDecoder().decode(fromBase64url(body)));
    const { exp, video } = claims;
    if (typeof exp === "number" && typeof video === "object" && video !== null) return claims;
  } catch {
    // Not a token: a part of one, or any other text.
  }
}
