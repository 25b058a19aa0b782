import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

const source = "node_modules/@zxcvbn-ts/language-common/src/passwords.json";
const file = "app/features/sign-in/password/common-passwords.ts";
/** ASVS 5, 6.2.4: the 3,000 most common ones that our least length allows. */
const wanted = 3_000;
const leastLength = 8;
const bytesEach = 4;
const lineLength = 96;

/** The most common passwords of our least length, the most common first. */
export function commonPasswords(): string[] {
  const all = JSON.parse(readFileSync(source, "utf8")) as string[];
  return all.filter(({ length }) => length >= leastLength).slice(0, wanted);
}

/** The module with the first bytes of their hashes. The words themselves are kept out of our files. */
export function commonPasswordsModule(): string {
  const hashes = commonPasswords().map((word) =>
    createHash("sha256").update(word).digest().subarray(0, bytesEach),
  );
  const text = Buffer.concat(hashes.toSorted(Buffer.compare)).toString("base64");
  const lines = text.match(new RegExp(`.{1,${lineLength}}`, "g")) ?? [];
  return [
    "// Written by `npm run passwords`, from @zxcvbn-ts/language-common.",
    "",
    `/** The first ${bytesEach} bytes of the SHA-256 of the ${wanted} most common passwords, in base64. */`,
    "export const commonPasswords =",
    `${lines.map((line) => `  "${line}"`).join(" +\n")};`,
    "",
  ].join("\n");
}

if (import.meta.main) {
  writeFileSync(file, commonPasswordsModule());
  console.log(`✓ Wrote ${file}`);
}
