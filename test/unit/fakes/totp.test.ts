import { expect, test } from "vitest";
import { isTotpCode, newTotpSecret, totpCode } from "../../../fakes/supabase/totp.ts";

// RFC 6238, appendix B: the ASCII key 12345678901234567890, SHA-1, last six of eight digits.
test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
])("at second %i the code is %s", (second, code) => {
  expect(totpCode("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", second * 1_000)).toBe(code);
});

test("a code counts one period early or late, and no longer", () => {
  const secret = newTotpSecret();
  const now = 1_800_000_000_000;
  const right = [-60, -30, 0, 30, 60].map((seconds) =>
    isTotpCode(secret, totpCode(secret, now + seconds * 1_000), now),
  );
  expect(right).toEqual([false, true, true, true, false]);
  expect(isTotpCode(secret, "", now)).toBe(false);
});
