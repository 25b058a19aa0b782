import { expect, test } from "vitest";
import { nextPath } from "../../../app/http/page-addresses.ts";

const elsewhere = "evil.example";
const hostile: unknown[] = [
  `https://${elsewhere}`,
  `http://${elsewhere}/dashboard`,
  `HTTPS://${elsewhere}`,
  `https:${elsewhere}`,
  `https:/${elsewhere}`,
  `//${elsewhere}`,
  `///${elsewhere}`,
  `////${elsewhere}`,
  `/\\${elsewhere}`,
  `\\/${elsewhere}`,
  `\\\\${elsewhere}`,
  `\\${elsewhere}`,
  `/\\/${elsewhere}`,
  `/\t/${elsewhere}`,
  `/\n/${elsewhere}`,
  `/\r/${elsewhere}`,
  `\t//${elsewhere}`,
  ` //${elsewhere}`,
  ` /dashboard`,
  `/ /${elsewhere}`,
  `/\u0000/${elsewhere}`,
  `/\u00a0/${elsewhere}`,
  `/\u2028/${elsewhere}`,
  `/\u3002${elsewhere}`,
  `/\uff0f${elsewhere}`,
  `/.//${elsewhere}`,
  `/..//${elsewhere}`,
  `/./..//${elsewhere}`,
  `/dashboard/..//${elsewhere}`,
  `/dashboard/../..//${elsewhere}`,
  `/%2e//${elsewhere}`,
  `/%2e%2e//${elsewhere}`,
  `/dashboard\\..\\..\\${elsewhere}`,
  `/dashboard?next=\\${elsewhere}`,
  `@${elsewhere}`,
  `user@${elsewhere}/dashboard`,
  `.${elsewhere}`,
  `${elsewhere}`,
  "dashboard",
  "./dashboard",
  "../dashboard",
  "?next=/dashboard",
  "#dashboard",
  "javascript:alert(1)",
  "java\nscript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:x",
  "blob:https://evil.example/x",
  "/dashboard\r\nset-cookie: a=b",
  "/dashboard\u0000",
  "/dash board",
  "/dashböard",
  `/${"x".repeat(600)}`,
  "",
  null,
  undefined,
  42,
  ["/dashboard"],
  { toString: () => "/dashboard" },
];

test("the table of hostile values is long enough to mean something", () => {
  expect(new Set(hostile).size).toBeGreaterThanOrEqual(40);
});

test.each(hostile.map((value) => [value]))("%j becomes the fallback", (value) => {
  expect(nextPath(value, "/fallback")).toBe("/fallback");
});

test.each([
  "/%2f%2fevil.example",
  "/%5cevil.example",
  "/%09/evil.example",
  "/%0d%0aset-cookie:a=b",
  "/x//evil.example",
  "/dashboard?next=//evil.example",
  "/dashboard?next=https://evil.example",
  "/dashboard#//evil.example",
  "/:80@evil.example",
  "/@evil.example",
  "/https://evil.example",
])("%s stays on this site, wherever a browser puts it", (value) => {
  const path = nextPath(value, "/fallback");
  for (const site of ["https://site.example", "http://localhost:8787"]) {
    expect(new URL(path, `${site}/auth/callback?code=1`).origin).toBe(site);
  }
});

test.each([
  "/",
  "/dashboard",
  "/dashboard/billing",
  "/dashboard?tab=a&b=c%20d",
  "/docs/api#section",
  "/signup?dialog=sign-in",
])("%s is kept as it is", (value) => {
  expect(nextPath(value, "/fallback")).toBe(value);
});
