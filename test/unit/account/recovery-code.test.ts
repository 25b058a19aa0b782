import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import {
  newRecoveryCode,
  readRecoveryCode,
  recoveryCodeHash,
} from "../../../app/features/account/settings/second-factor/recovery-codes.server.ts";

test("a code has six groups of four letters that nobody takes for another: 120 random bits", () => {
  const codes = Array.from({ length: 500 }, newRecoveryCode);
  for (const code of codes)
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){5}$/);
  expect(new Set(codes).size).toBe(500);
  // 12,000 letters: each of the 32 is there, and none twice as often as chance would have it.
  const counts = new Map<string, number>();
  for (const letter of codes.join("").replaceAll("-", "")) {
    counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  expect(counts.size).toBe(32);
  expect(Math.max(...counts.values())).toBeLessThan(750);
});

test.each([
  "0AB1-CDEF-GHJK-MNPQ-RSTV-WXYZ",
  "0ab1 cdef ghjk mnpq rstv wxyz",
  " 0AB1CDEFGHJKMNPQRSTVWXYZ\n",
  "0AB1–CDEF–GHJK–MNPQ–RSTV–WXYZ",
  "oabi-cdef-ghjk-mnpq-rstv-wxyz",
  "OABL-CDEF-GHJK-MNPQ-RSTV-WXYZ",
])("%j is read as the code that was shown", (typed) => {
  expect(readRecoveryCode(typed)).toBe("0AB1CDEFGHJKMNPQRSTVWXYZ");
});

test.each([
  "",
  "123456",
  "0AB1-CDEF-GHJK-MNPQ-RSTV",
  "UUUU-CDEF-GHJK-MNPQ-RSTV-WXYZ",
  "é".repeat(24),
])("%j is no code", (typed) => {
  expect(readRecoveryCode(typed)).toBeUndefined();
});

test("only its SHA-256 is kept", async () => {
  const letters = "0AB1CDEFGHJKMNPQRSTVWXYZ";
  expect(await recoveryCodeHash(letters)).toBe(createHash("sha256").update(letters).digest("hex"));
});
