const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const tokenPattern = /^Bearer +(lkd_[0-9A-Za-z]{43})$/i;

/** A new token: `lkd_` and 43 letters and digits, which is 256 bits of chance. */
export function newToken(): string {
  let token = "lkd_";
  while (token.length < 47) {
    // 248 is the largest multiple of 62 in a byte: above it some letters would come more often.
    for (const byte of crypto.getRandomValues(new Uint8Array(64))) {
      if (byte < 248 && token.length < 47) token += alphabet[byte % 62];
    }
  }
  return token;
}

/** SHA-256 in hexadecimal. A token of 256 random bits needs no salt and no slow hash. */
export async function hashOf(token: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The token in an Authorization header; undefined when it is no token of ours. */
export function tokenIn(authorization: string | null): string | undefined {
  return tokenPattern.exec(authorization ?? "")?.[1];
}
