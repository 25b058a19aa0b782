import { fromBase64 } from "./base64";

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
