import { sha256Hex } from "~/http/hashes";

/** Crockford's Base32: without I, L, O and U, so that no letter is mistaken for another. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const groups = 6;
const lettersPerGroup = 4;

export const codesInSet = 10;

/** A new code of 120 random bits, six groups of four letters. */
export function newRecoveryCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(groups * lettersPerGroup));
  // All letters are equally likely, because 256 is a multiple of 32.
  const letters = Array.from(bytes, (byte) => alphabet[byte % 32]).join("");
  return (letters.match(/.{4}/g) ?? []).join("-");
}

/**
 * The letters of a typed code: it accepts upper and lower case, spaces and hyphens, O for 0, and I or L for 1.
 * Undefined for a text that is no code.
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

/** The hash of a code for the database. Codes of 120 random bits need no slow hash: SHA-256 is enough. */
export function recoveryCodeHash(letters: string): Promise<string> {
  return sha256Hex(letters);
}
