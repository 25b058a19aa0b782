import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { readCommandLine } from "../lib/command-line.ts";

const source = "node_modules/@zxcvbn-ts/language-common/src/passwords.json";
/** Named so that wrangler does not take it for a module: those that end in .bin would be in the upload. */
const file = "app/features/account/sign-in/common-passwords.dat";
/** ASVS 5, 6.2.4: the 3,000 most common ones that our least length allows. */
const passwordCount = 3_000;
const leastLength = 8;
const bytesEach = 4;

/** The most common passwords of our least length, the most common first. */
export function commonPasswords(): string[] {
  const all = JSON.parse(readFileSync(source, "utf8")) as string[];
  return all.filter(({ length }) => length >= leastLength).slice(0, passwordCount);
}

/** The first bytes of the SHA-256 of each, sorted. The words themselves are kept out of our files. */
export function commonPasswordHashes(): Buffer {
  const hashes = commonPasswords().map((word) =>
    createHash("sha256").update(word).digest().subarray(0, bytesEach),
  );
  return Buffer.concat(hashes.toSorted(Buffer.compare));
}

if (import.meta.main) {
  readCommandLine({
    usage: "npm run passwords",
    about: `Writes the hashes of the most common passwords again, after a new version of their list. It takes a second.`,
  });
  writeFileSync(file, commonPasswordHashes());
  console.log(`✓ Wrote ${file}`);
}
