import { sha256Hex, signingKey } from "~/http/hashes";
import type { Configuration } from "~/platform/env/configuration.server";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const tokenPattern = /^Bearer +(lkd_[0-9A-Za-z]{43})$/i;
/** `lkd_` and 31 random letters and digits, which are 184 bits. The 12 after them are their checksum. */
const randomLength = 35;

/** What a call asks of its token. A token is for one of these or both; the database knows them by the same names. */
export type TokenScope = "configuration" | "usage";

type Secrets = Pick<Configuration, "COOKIE_SECRET" | "FORMER_COOKIE_SECRETS">;

/** A new token: `lkd_` and 43 letters and digits. */
export async function newToken({ COOKIE_SECRET }: Secrets): Promise<string> {
  let token = "lkd_";
  while (token.length < randomLength) {
    // 248 is the largest multiple of 62 in a byte: with the bytes above it some letters would be more likely.
    for (const byte of crypto.getRandomValues(new Uint8Array(64))) {
      if (byte < 248 && token.length < randomLength) token += alphabet[byte % 62];
    }
  }
  return token + (await checkOf(token, COOKIE_SECRET[0] ?? ""));
}

/**
 * Whether a token was made here, by its checksum. Invented tokens are refused by it without a query. Whose a
 * token is, and whether it was revoked, only the database knows.
 */
export async function isMadeHere(token: string, secrets: Secrets): Promise<boolean> {
  const random = token.slice(0, randomLength);
  const check = token.slice(randomLength);
  for (const secret of [...secrets.COOKIE_SECRET, ...secrets.FORMER_COOKIE_SECRETS]) {
    if ((await checkOf(random, secret)) === check) return true;
  }
  return false;
}

/** The last 12 letters and digits of a token, 71 bits: HMAC-SHA-256 of the rest. */
async function checkOf(chance: string, secret: string): Promise<string> {
  const key = await keyOf(secret);
  const mac = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(chance));
  return Array.from(new Uint8Array(mac, 0, 12), (byte) => alphabet[byte % 62]).join("");
}

/** Finished keys only, no promises: one that another request began never settles if that request is cancelled. */
const keys = new Map<string, CryptoKey>();

/** The key that HKDF derives from a secret for tokens alone. */
async function keyOf(secret: string): Promise<CryptoKey> {
  const key = keys.get(secret) ?? (await signingKey(secret, "tokens for agents"));
  keys.set(secret, key);
  return key;
}

/** SHA-256 in hexadecimal. A token of so many random bits needs no salt and no slow hash. */
export function hashOf(token: string): Promise<string> {
  return sha256Hex(token);
}

/** The token in an Authorization header; undefined when it is no token of ours. */
export function tokenIn(authorization: string | null): string | undefined {
  return tokenPattern.exec(authorization ?? "")?.[1];
}
