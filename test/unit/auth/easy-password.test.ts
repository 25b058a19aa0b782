import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { refuseEasyPassword } from "../../../app/features/sign-in/password/easy-password.server.ts";
import {
  commonPasswords,
  commonPasswordsModule,
} from "../../../scripts/generate/common-passwords.ts";

const address = "ada.lovelace@analytical.example";

const reasonFor = async (password: string) =>
  (await refuseEasyPassword(password, address))?.reasons?.[0];

test("each of the 3,000 most common passwords of our length is refused", async () => {
  const listed = commonPasswords();
  expect(listed).toHaveLength(3_000);
  const taken: string[] = [];
  for (const word of listed) if (!(await reasonFor(word))) taken.push(word);
  expect(taken).toEqual([]);
});

test("the file of their hashes is the list's", () => {
  expect(readFileSync("app/features/sign-in/password/common-passwords.ts", "utf8")).toBe(
    commonPasswordsModule(),
  );
});

test.each([
  "12345678",
  "Password",
  "password1",
  "Password!",
  "PASSWORD2024",
  "iloveyou!",
  "qwertyuiop",
])("%j is refused as common", async (password) => {
  expect(await reasonFor(password)).toBe("It is one of the most common passwords, or nearly so.");
});

test.each([
  "livekitdeploy",
  "LiveKit Deploy 2026",
  "ada.lovelace",
  "Lovelace1815",
  "analytical!",
  "adalovelace@livekit",
])("%j is refused as one's own words", async (password) => {
  expect(await reasonFor(password)).toBe(
    "It is little more than your address or the name of this site.",
  );
});

test.each([
  "four quiet servers hum",
  "correct horse battery",
  "livekit hums in four quiet racks",
  "ada keeps bees on the roof",
  "x9$kqZ7!p",
  "пароль из четырёх слов",
  "only-for-the-benchmark",
])("%j is taken", async (password) => {
  expect(await refuseEasyPassword(password, address)).toBeUndefined();
});

test("nothing of an empty or odd address makes every password easy", async () => {
  for (const odd of ["", "@", "a@b.c", "+1555"]) {
    expect(await refuseEasyPassword("four quiet servers hum", odd)).toBeUndefined();
  }
});
