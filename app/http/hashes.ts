import { fromBase64, toBase64, toHex } from "./encodings.ts";

/** The 32 bytes of a SHA-256. A text is hashed as UTF-8. */
export async function sha256(
  content: string | Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** The first `bytes` bytes of the SHA-256 of a text, in hexadecimal. */
export async function sha256Hex(text: string, bytes = 32): Promise<string> {
  return toHex((await sha256(text)).subarray(0, bytes));
}

/**
 * The HMAC-SHA-256 key that HKDF derives from a secret in base64 for one purpose alone: what is signed for one is
 * worth nothing for another.
 */
export async function signingKey(secret: string, purpose: string): Promise<CryptoKey> {
  const bytes = fromBase64(secret);
  const material = await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveKey"]);
  const info = new TextEncoder().encode(purpose);
  return crypto.subtle.deriveKey(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info },
    material,
    { name: "HMAC", hash: "SHA-256", length: 256 },
    false,
    ["sign", "verify"],
  );
}

/** A strong entity tag made of a hash of the content (RFC 9110, section 8.8.3). */
export async function entityTag(content: string | Uint8Array<ArrayBuffer>): Promise<string> {
  return `"${toBase64((await sha256(content)).subarray(0, 18))}"`;
}

/**
 * Whether `If-None-Match` names the tag. The comparison is weak (RFC 9110, section 13.1.2): a proxy that compressed
 * the answer may have added `W/`.
 */
export function namesTag(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) return false;
  const named = ifNoneMatch.split(",").map((each) => each.trim().replace(/^W\//, ""));
  return named.includes("*") || named.includes(tag);
}
