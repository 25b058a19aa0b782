import { expect, test } from "vitest";
import type { Configuration } from "../../../app/platform/env/configuration.server.ts";
import { refuseForeignOrigin } from "../../../workers/origin/same-origin.ts";

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
    expect(refusal(origin, "/api/v1/deployments.data", method)?.status).toBe(403);
    expect(refusal(origin, "/api/v1x/deployments", method)?.status).toBe(403);
  }
});

test("a change from our own pages goes on, and so does a request that only reads", () => {
  expect(refusal(site)).toBeUndefined();
  for (const method of ["GET", "HEAD"]) {
    expect(refusal("https://evil.example", "/pricing", method)).toBeUndefined();
  }
});

test("a call of the API goes on, whatever stands where an id should: it answers for itself", () => {
  for (const id of ["0d5e4f3a", "%F0%9F%92%A5", "a.b", "%00", "constructor"])
    expect(refusal(undefined, `/api/v1/servers/${id}/rollouts`)).toBeUndefined();
});

/** A change that is asked for at `address`, by a page of `origin`. */
function ask(address: string, origin: string, SITE_URL = site) {
  const request = new Request(`${address}/pricing`, { method: "POST", headers: { origin } });
  return refuseForeignOrigin(request, { SITE_URL } as Configuration);
}

test("a page of another address that leads to the site is foreign, even at that address", () => {
  for (const other of ["http://site.example", "https://second.example"]) {
    expect(ask(other, other)?.status).toBe(403);
    expect(ask(site, other)?.status).toBe(403);
  }
});

test("on somebody's own machine the site may be called localhost and 127.0.0.1", () => {
  const local = "http://localhost:8787";
  for (const origin of [local, "http://127.0.0.1:8787"]) {
    expect(ask("http://127.0.0.1:8787", origin, local)).toBeUndefined();
  }
  expect(ask("http://127.0.0.1:8787", "http://127.0.0.1:1", local)?.status).toBe(403);
  expect(ask(local, "http://127.0.0.1:8787", local)?.status).toBe(403);
});
