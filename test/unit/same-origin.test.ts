import { expect, test } from "vitest";
import type { Configuration } from "../../app/configuration/configuration.server.ts";
import { refuseForeignOrigin } from "../../workers/same-origin.ts";

const site = "https://site.example";
const configuration = { SITE_URL: site } as Configuration;

function refusal(origin: string | undefined, path = "/pricing", method = "POST") {
  const headers = new Headers(origin === undefined ? {} : { origin });
  return refuseForeignOrigin(new Request(site + path, { method, headers }), configuration);
}

test.each([
  undefined,
  "",
  "null",
  "https://evil.example",
  "https://site.example.evil.example",
  "https://evilsite.example",
  "https://evil.example@site.example",
  "https://site.example@evil.example",
  "https://site.example:8443",
  "https://site.example.",
  "https://site.example/",
  "https://SITE.example",
  "http://site.example",
  "https://site.example, https://evil.example",
  "https://evil.example https://site.example",
  "//site.example",
  "site.example",
  "*",
])("a change from the origin %j is refused", (origin) => {
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "PROPFIND"]) {
    expect(refusal(origin, "/pricing", method)?.status).toBe(403);
    expect(refusal(origin, "/api/token-usage.data", method)?.status).toBe(403);
    expect(refusal(origin, "/api/token-usage/", method)?.status).toBe(403);
  }
});

test("a change from our own pages goes on, and so does whoever only reads", () => {
  expect(refusal(site)).toBeUndefined();
  for (const method of ["GET", "HEAD"]) {
    expect(refusal("https://evil.example", "/pricing", method)).toBeUndefined();
  }
});

test("a site that is reached at a second address takes changes from both of its own, and from no other", () => {
  const ask = (origin: string) =>
    refuseForeignOrigin(
      new Request("https://second.example/pricing", { method: "POST", headers: { origin } }),
      configuration,
    );
  expect(ask(site)).toBeUndefined();
  expect(ask("https://second.example")).toBeUndefined();
  expect(ask("https://third.example")?.status).toBe(403);
});
