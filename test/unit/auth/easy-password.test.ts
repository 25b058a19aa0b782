import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { refuseEasyPassword } from "../../../app/features/account/sign-in/easy-password.server.ts";
import type { AppContext } from "../../../app/http/app-context.ts";
import {
  commonPasswordHashes,
  commonPasswords,
} from "../../../scripts/generate/common-passwords.ts";

const address = "ada.lovelace@analytical.example";

/** A context whose assets are answered by `answer`, which is given their paths. */
function withAssets(answer: (path: string) => Response): AppContext {
  const fetch = async (url: URL) => answer(url.pathname);
  return { bindings: { ASSETS: { fetch } } } as unknown as AppContext;
}

/** Tests read the file where it stands in the repository, since nothing is built. */
const context = withAssets((path) => new Response(readFileSync(`.${path}`)));

const reasonFor = async (password: string) =>
  (await refuseEasyPassword(password, address, context))?.reasons?.[0];

test("each of the 3,000 most common passwords of our length is refused", async () => {
  const listed = commonPasswords();
  expect(listed).toHaveLength(3_000);
  const accepted: string[] = [];
  for (const word of listed) if (!(await reasonFor(word))) accepted.push(word);
  expect(accepted).toEqual([]);
});

test("the file of their hashes is the list's", () => {
  const file = readFileSync("app/features/account/sign-in/common-passwords.dat");
  expect(file.equals(commonPasswordHashes())).toBe(true);
});

test("when the list cannot be read, nobody is kept from a new password, and the next one is checked", async () => {
  vi.resetModules();
  const fresh = await import("../../../app/features/account/sign-in/easy-password.server.ts");
  using logged = vi.spyOn(console, "error").mockReturnValue();
  const missing = withAssets(() => new Response(null, { status: 404 }));
  const check = async (password: string, assets: AppContext) =>
    (await fresh.refuseEasyPassword(password, address, assets))?.reasons?.[0];

  expect(await check("password1", missing)).toBeUndefined();
  expect(await check("lovelace1", missing)).toMatch(/^It is little more than your address/);
  expect(logged.mock.calls.flat().join()).toContain("The common passwords were not read");
  expect(logged.mock.calls.flat().join()).not.toContain("password1");
  expect(await check("password1", context)).toMatch(/^It is one of the most common passwords/);
  expect(await check("password1", missing)).toMatch(/^It is one of the most common passwords/);
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
  expect(await refuseEasyPassword(password, address, context)).toBeUndefined();
});

test("nothing of an empty or odd address makes every password easy", async () => {
  for (const odd of ["", "@", "a@b.c", "+1555"]) {
    expect(await refuseEasyPassword("four quiet servers hum", odd, context)).toBeUndefined();
  }
});
