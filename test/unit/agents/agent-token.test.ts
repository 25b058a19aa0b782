import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { rememberRefused, wasRefused } from "~/features/agents/api/caller.server";
import { isMadeHere, newToken } from "~/features/agents/api/token";

const secret = () => randomBytes(32).toString("base64");
const [first, second] = [secret(), secret()];
const only = (...COOKIE_SECRET: string[]) => ({ COOKIE_SECRET, FORMER_COOKIE_SECRETS: [] });

test("arithmetic distinguishes a token from one that somebody made up or changed", async () => {
  const token = await newToken(only(first));
  expect(token).toMatch(/^lkd_[0-9A-Za-z]{43}$/);
  expect(await isMadeHere(token, only(first))).toBe(true);
  const other = (letter = "") => (letter === "a" ? "b" : "a");
  for (const place of [4, 20, 34, 35, 46]) {
    const changed = token.slice(0, place) + other(token[place]) + token.slice(place + 1);
    expect(await isMadeHere(changed, only(first)), `changed at ${place}`).toBe(false);
  }
  expect(await isMadeHere(`lkd_${"0".repeat(43)}`, only(first))).toBe(false);
  expect(await isMadeHere(token, only(second))).toBe(false);
});

test("every listed secret, and every former one, keeps the tokens that were made under it", async () => {
  const token = await newToken(only(first));
  expect(await isMadeHere(token, only(second, first))).toBe(true);
  const dropped = { COOKIE_SECRET: [second], FORMER_COOKIE_SECRETS: [first] };
  expect(await isMadeHere(token, dropped)).toBe(true);
  // What is made now is made under the first secret, never under a former one.
  expect(await isMadeHere(await newToken(dropped), only(second))).toBe(true);
});

test("that a token was refused is known for a minute, and of a thousand at most", () => {
  const wasUsageRefused = (hash: string, now: number) => wasRefused(hash, "usage", now);
  rememberRefused("one", "usage", 0);
  expect([
    wasUsageRefused("one", 59_999),
    wasUsageRefused("one", 60_000),
    wasUsageRefused("two", 0),
  ]).toEqual([true, false, false]);
  for (let nth = 0; nth < 1_000; nth++) rememberRefused(`token ${nth}`, "usage", 0);
  expect([wasUsageRefused("one", 1), wasUsageRefused("token 999", 1)]).toEqual([false, true]);
});

test("a token that was refused for one thing is not known as refused for the other", () => {
  rememberRefused("three", "usage", 0);
  expect([wasRefused("three", "usage", 1), wasRefused("three", "configuration", 1)]).toEqual([
    true,
    false,
  ]);
});
