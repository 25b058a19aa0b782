import { sha256Hex, signingKey } from "~/http/hashes";
import type { Configuration } from "~/platform/env/configuration.server";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Random letters and digits of a token, which are 184 bits. The 12 after them are their checksum. */
const randomLength = 31;

/** A kind of tokens: what each begins with, and what its checksum is for, so that no kind passes for another. */
export type TokenKind = { prefix: string; purpose: string };

export type TokenSecrets = Pick<Configuration, "COOKIE_SECRET" | "FORMER_COOKIE_SECRETS">;

/** A new token: its kind's beginning and 43 letters and digits. */
export async function newBearerToken(
  { prefix, purpose }: TokenKind,
  { COOKIE_SECRET }: TokenSecrets,
): Promise<string> {
  let token = prefix;
  const wanted = prefix.length + randomLength;
  while (token.length < wanted) {
    // 248 is the largest multiple of 62 in a byte: with the bytes above it some letters would be more likely.
    for (const byte of crypto.getRandomValues(new Uint8Array(64))) {
      if (byte < 248 && token.length < wanted) token += alphabet[byte % 62];
    }
  }
  return token + (await checkOf(token, COOKIE_SECRET[0] ?? "", purpose));
}

/**
 * Whether a token was made here, by its checksum. Invented tokens are refused by it without a query. Whose a
 * token is, and whether it was revoked, only the database knows.
 */
export async function isMadeHere(
  { prefix, purpose }: TokenKind,
  token: string,
  secrets: TokenSecrets,
): Promise<boolean> {
  const random = token.slice(0, prefix.length + randomLength);
  const check = token.slice(random.length);
  for (const secret of [...secrets.COOKIE_SECRET, ...secrets.FORMER_COOKIE_SECRETS]) {
    if ((await checkOf(random, secret, purpose)) === check) return true;
  }
  return false;
}

/** The last 12 letters and digits of a token, 71 bits: HMAC-SHA-256 of the rest. */
async function checkOf(chance: string, secret: string, purpose: string): Promise<string> {
  const key = await keyOf(secret, purpose);
  const mac = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(chance));
  return Array.from(new Uint8Array(mac, 0, 12), (byte) => alphabet[byte % 62]).join("");
}

/** Finished keys only, no promises: one that another request began never settles if that request is cancelled. */
const keys = new Map<string, CryptoKey>();

/** The key that HKDF derives from a secret for tokens of one kind alone. */
async function keyOf(secret: string, purpose: string): Promise<CryptoKey> {
  const name = `${purpose} ${secret}`;
  const key = keys.get(name) ?? (await signingKey(secret, purpose));
  keys.set(name, key);
  return key;
}

/** SHA-256 in hexadecimal. A token of so many random bits needs no salt and no slow hash. */
export function hashOf(token: string): Promise<string> {
  return sha256Hex(token);
}

/** The token in an Authorization header; undefined when it is none of this kind. */
export function tokenIn({ prefix }: TokenKind, authorization: string | null): string | undefined {
  const [, token = ""] = /^Bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
  const rest = token.startsWith(prefix) ? token.slice(prefix.length) : "";
  return /^[0-9A-Za-z]{43}$/.test(rest) ? token : undefined;
}
