import type { Secrets } from "./bundle-types.ts";

/** `crypto.getRandomValues`, or in tests a known sequence. Fills the array that it is given. */
export type ByteSource = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array;

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** The largest multiple of 62 that a byte can reach: bytes from here on would favour some characters. */
const fairBytes = 248;

/** A fresh key pair, Redis password and secret of webhooks. 43 characters of base62 carry 256 bits. */
export function makeSecrets(randomBytes: ByteSource): Secrets {
  return {
    apiKey: `API${randomText(12, randomBytes)}`,
    apiSecret: randomText(43, randomBytes),
    redisPassword: randomText(43, randomBytes),
    webhookSecret: randomText(43, randomBytes),
  };
}

function randomText(length: number, randomBytes: ByteSource): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(new Uint8Array(length)))
      if (byte < fairBytes && text.length < length) text += base62.charAt(byte % 62);
  }
  return text;
}
