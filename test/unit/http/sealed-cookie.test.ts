import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { afterEach, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import type { SiteCookie } from "~/http/cookies";
import { sealedCookie } from "~/http/cookies.server";
import { readConfiguration } from "~/platform/env/configuration.server";

const example = parseEnv(readFileSync(".dev.vars.example", "utf8"));
const [first = "", second = "", third = ""] = [1, 2, 3].map((byte) =>
  Buffer.alloc(32, byte).toString("base64"),
);

afterEach(() => void vi.useRealTimers());

function cookieUnder(secrets: string, name: SiteCookie = "google-consent") {
  const reading = readConfiguration({
    ...example,
    SITE_URL: "https://www.example.com",
    STRIPE_WEBHOOK_SECRET: "whsec_of_this_test",
    COOKIE_SECRET: secrets,
  });
  if (!reading.ok) throw new Error(reading.problems.join());
  const { configuration } = reading;
  const shape = z.object({ token: z.string() });
  return sealedCookie({ configuration }, name, shape);
}

function sent(header: string, name: SiteCookie = "google-consent"): Request {
  const [pair = ""] = header.split(";");
  const cookie = `${name}=${pair.slice(pair.indexOf("=") + 1)}`;
  return new Request("https://www.example.com/here", { headers: { cookie: `a=b; ${cookie}` } });
}

test("what is sealed is read by us, in time, and by nobody else", async () => {
  vi.useFakeTimers({ now: 1_800_000_000_000 });
  const header = await cookieUnder(first).keep({ token: "hidden" }, 60);
  expect(header).toMatch(/; Max-Age=60; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  expect(
    Buffer.from(header.slice("google-consent=".length), "base64url").toString("latin1"),
  ).not.toContain("hidden");
  expect(await cookieUnder(first).read(sent(header))).toEqual({ token: "hidden" });
  expect(await cookieUnder(second).read(sent(header))).toBeUndefined();
  vi.advanceTimersByTime(60_000);
  expect(await cookieUnder(first).read(sent(header))).toBeUndefined();
});

test("a new secret in front seals, and the old ones still open", async () => {
  const header = await cookieUnder(first).keep({ token: "hidden" }, 60);
  expect(await cookieUnder(`${second},${first}`).read(sent(header))).toEqual({ token: "hidden" });
  const newer = await cookieUnder(`${second},${first}`).keep({ token: "newer" }, 60);
  expect(await cookieUnder(second).read(sent(newer))).toEqual({ token: "newer" });
  expect(await cookieUnder(`${third},${second}`).read(sent(header))).toBeUndefined();
});

test("a cookie of another name or shape, a bent one and none are no cookie", async () => {
  const header = await cookieUnder(first).keep({ token: "hidden" }, 60);
  const other = await cookieUnder(first, "google-connection").keep({ token: "hidden" }, 60);
  expect(await cookieUnder(first).read(sent(other))).toBeUndefined();
  const bent = header.replace(
    /^(google-consent=.{20})(.)/,
    (_, start, next) => start + (next === "A" ? "B" : "A"),
  );
  expect(await cookieUnder(first).read(sent(bent))).toBeUndefined();
  for (const text of ["", "x", "%00", "A".repeat(5_000)]) {
    expect(await cookieUnder(first).read(sent(`google-consent=${text}`))).toBeUndefined();
  }
  expect(await cookieUnder(first).read(new Request("https://www.example.com/"))).toBeUndefined();
  expect((await cookieUnder(first).keep({ token: "x" }, 60)) === header).toBe(false);
});

test("a long token fits what browsers keep", async () => {
  const header = await cookieUnder(first).keep({ token: "x".repeat(2_048) }, 60);
  expect(header.length).toBeLessThan(4_000);
});
