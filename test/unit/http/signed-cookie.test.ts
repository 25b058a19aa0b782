import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { expect, test } from "vitest";
import type { SiteCookie } from "~/http/cookies";
import { signedCookie } from "~/http/cookies.server";
import { readConfiguration } from "~/platform/env/configuration.server";

const [first, second] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString("base64"));

function cookieUnder(secrets: string, name: SiteCookie) {
  const reading = readConfiguration({
    ...parseEnv(readFileSync(".dev.vars.example", "utf8")),
    COOKIE_SECRET: secrets,
  });
  if (!reading.ok) throw new Error(reading.problems.join());
  return signedCookie(reading.configuration, name);
}

const valueIn = (header: string) => header.slice(header.indexOf("=") + 1, header.indexOf(";"));

test("a signed value counts under its own name, and under no other", async () => {
  const header = await cookieUnder(`${first}`, "used-link").serialize({ userId: "a", until: 9 });
  const value = valueIn(header);
  const under = (name: SiteCookie) => cookieUnder(`${first}`, name).parse(`${name}=${value}`);
  expect(await under("used-link")).toEqual({ userId: "a", until: 9 });
  expect(await under("password-recovery")).toBeNull();
  expect(await under("contact-receipt")).toBeNull();
});

test("an old secret still verifies, one that is gone does not", async () => {
  const header = await cookieUnder(`${first}`, "used-link").serialize("kept");
  const sent = `used-link=${valueIn(header)}`;
  expect(await cookieUnder(`${second},${first}`, "used-link").parse(sent)).toBe("kept");
  expect(await cookieUnder(`${second}`, "used-link").parse(sent)).toBeNull();
});
