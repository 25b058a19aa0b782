import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const periodSeconds = 30;

/** A new secret of 160 bits, in base32 as authenticator apps take it. */
export function newTotpSecret(): string {
  return [...randomBytes(32)].map((byte) => alphabet[byte % 32]).join("");
}

function bytesOf(base32: string): Buffer {
  const bits = [...base32].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0"));
  const bytes = bits.join("").match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}

/** The six digits that an authenticator app shows at a time in milliseconds (RFC 6238, SHA-1). */
export function totpCode(secret: string, at = Date.now()): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 1_000 / periodSeconds)));
  const digest = createHmac("sha1", bytesOf(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

/** Whether a code is valid now, one period ago or one period ahead, since clocks differ. */
export function isTotpCode(secret: string, code: string, at = Date.now()): boolean {
  return [-1, 0, 1].some((step) => {
    const right = Buffer.from(totpCode(secret, at + step * periodSeconds * 1_000));
    const typed = Buffer.from(code);
    return typed.length === right.length && timingSafeEqual(typed, right);
  });
}
