import { sha256Hex } from "~/http/encodings/sha256";

/** Base32 without I, L, O and U, as Crockford chose it: nobody takes one letter for another. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const groups = 6;
const lettersPerGroup = 4;

export const codesInSet = 10;

/** A new code of 120 random bits, six groups of four letters. */
export function newRecoveryCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(groups * lettersPerGroup));
  // 256 is a multiple of 32, so that all letters are equally likely.
  const letters = Array.from(bytes, (byte) => alphabet[byte % 32]).join("");
  return (letters.match(/.{4}/g) ?? []).join("-");
}

/**
 * The letters of a code as somebody typed it: small or large, with or without spaces and hyphens, with O
 * for 0 and I or L for 1. Undefined for what cannot be one.
 */
export function readRecoveryCode(typed: string): string | undefined {
  const letters = typed
    .slice(0, 200)
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, "")
    .replaceAll("O", "0")
    .replace(/[IL]/g, "1");
  return /^[0-9A-HJKMNP-TV-Z]{24}$/.test(letters) ? letters : undefined;
}

/** How the database keeps it. A code has so many bits that nobody finds it by its plain SHA-256. */
export function recoveryCodeHash(letters: string): Promise<string> {
  return sha256Hex(letters);
}
