import { createHash } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import routes from "../../../app/routes.ts";
import { sample, testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";
import { Visitor } from "../../support/site/visitor.ts";

beforeAll(resetFakes);

test("forms may lead to Stripe and to sign-in pages only from pages that may become those, without a new document", async () => {
  const formsOf = async (path: string) => {
    const response = await fetch(`${siteUrl}${path}`);
    const policy = response.headers.get("content-security-policy") ?? "";
    return /form-action ([^;]*)/.exec(policy)?.[1];
  };
  for (const path of ["/docs", "/docs/firewalls", "/blog", "/faq", "/privacy", "/signup"])
    expect(await formsOf(path), path).toBe("'self'");
  for (const path of ["/signin", "/signup?dialog=sign-in", "/pricing", "/services", "/contact"])
    expect(await formsOf(path), path).toContain("https://accounts.google.com");
});

const paths = routes
  .flatMap(({ path = "", children }) => [
    `/${path}`,
    ...(children ?? []).flatMap((child) => (child.path ? [`/${path}/${child.path}`] : [])),
  ])
  .map((path) => path.replace(/:\w+/g, "no-such-thing"));
const pagesAndMore = [...paths, "/nowhere", "/docs/nowhere", "/pricing/", "/favicon.svg.bak"];

/** What every response that the Worker makes carries. */
function expectSafetyHeaders(response: Response, what: string) {
  const { headers } = response;
  const soft = (name: string) => expect.soft(headers.get(name), `${name} of ${what}`);
  soft("strict-transport-security").toMatch(/^max-age=(6307\d{4}|[3-9]\d{7}); includeSubDomains/);
  soft("x-content-type-options").toBe("nosniff");
  const holdsTokens = /(^|\s)\/auth\//.test(what);
  soft("referrer-policy").toBe(holdsTokens ? "strict-origin" : "strict-origin-when-cross-origin");
  soft("cross-origin-opener-policy").toBe("same-origin");
  soft("cross-origin-resource-policy").toBe("same-origin");
  soft("access-control-allow-origin").toBeNull();
  const type = headers.get("content-type") ?? "";
  if (type)
    expect
      .soft(type, what)
      .toMatch(/charset=utf-8|^(application\/(json|problem\+json|zip)|text\/x-script)/i);
  soft("permissions-policy").toContain("camera=()");
  soft("x-request-id").toMatch(/^[\w-]{8,}$/);
  soft("cache-control").not.toBeNull();
  soft("content-security-policy").toMatch(/^default-src 'none'/);
  soft("content-security-policy").toContain("frame-ancestors 'none'");
  soft("content-security-policy").not.toMatch(
    /unsafe-inline|unsafe-eval|nonce-|\*|http:\/\/(?!localhost|127)/,
  );
  soft("x-powered-by").toBeNull();
  soft("server").toBeNull();
}

function isDocument(response: Response) {
  return response.headers.get("content-type")?.startsWith("text/html") === true;
}

/** Every inline script of the page is named by its hash, and nothing of the page needs more. */
function expectPolicyToFitPage(policy: string, page: string, what: string) {
  // A block of another type, such as ld+json, is data and never runs.
  const inline = /<script(?![^>]*\s(?:src=|type="application\/))[^>]*>([\s\S]*?)<\/script>/g;
  const scripts = [...page.matchAll(inline)];
  expect(scripts.length, what).toBeGreaterThan(0);
  const directives = new Map(
    policy.split("; ").map((directive) => {
      const [name = "", ...values] = directive.split(" ");
      return [name, values] as const;
    }),
  );
  for (const [, script = ""] of scripts) {
    const hash = createHash("sha256").update(script).digest("base64");
    expect.soft(directives.get("script-src"), what).toContain(`'sha256-${hash}'`);
  }
  const hashes = directives.get("script-src")?.filter((source) => source.startsWith("'sha256-"));
  expect
    .soft(hashes?.length, `${what} allows no script that it lacks`)
    .toBeLessThanOrEqual(scripts.length);
  expect.soft(directives.get("base-uri"), what).toEqual(["'none'"]);
  expect.soft(directives.get("require-trusted-types-for"), what).toEqual(["'script'"]);
  expect.soft(directives.get("trusted-types"), what).toEqual(["default", "page-text"]);
  expect.soft(directives.get("report-uri"), what).toEqual(["/csp-reports"]);
  expect.soft(directives.get("report-to"), what).toEqual(["csp"]);
  expect.soft(directives.get("style-src"), what).toEqual(["'self'"]);
  expect.soft(page, what).not.toMatch(/nonce=|\son\w+="|<[^>]+\sstyle="|<style/);
}

test.each(sample(pagesAndMore, 6))(
  "GET %s has the safety headers, and its scripts fit its policy",
  async (path) => {
    const response = await new Visitor().request(path);
    expectSafetyHeaders(response, path);
    const page = await response.text();
    if (isDocument(response)) {
      expectPolicyToFitPage(response.headers.get("content-security-policy") ?? "", page, path);
      expect(response.headers.get("reporting-endpoints")).toBe('csp="/csp-reports"');
    }
    // A page that comes from a cache must fit too.
    const again = await new Visitor().request(path);
    if (isDocument(again)) {
      expectPolicyToFitPage(
        again.headers.get("content-security-policy") ?? "",
        await again.text(),
        path,
      );
    }
  },
);

testInProof.each(pagesAndMore)("HEAD %s has the headers of GET and no body", async (path) => {
  const read = async (method: string) => {
    const response = await new Visitor().request(path, { method, origin: null });
    const body = await response.text();
    const ofThisRequest = [
      "x-request-id",
      "date",
      "age",
      "cache-status",
      "content-length",
      "transfer-encoding",
      "connection",
      "keep-alive",
    ];
    const headers = [...response.headers]
      .filter(([name]) => !ofThisRequest.includes(name))
      // Each rendering is a document of its own with hashes of its own.
      .map(([name, value]) => [name, value.replaceAll(/'sha256-[^']+'/g, "'sha256'")]);
    return { status: response.status, headers, body };
  };
  const get = await read("GET");
  const head = await read("HEAD");
  expect({ ...head, body: "" }).toEqual({ ...get, body: "" });
  expect(head.body).toBe("");
});

const others: [what: string, path: string, init: RequestInit, status: number][] = [
  [
    "a refused origin",
    "/pricing",
    { method: "POST", headers: { origin: "https://evil.example" } },
    403,
  ],
  ["a refused origin at the API", "/api/create-checkout-session", { method: "POST" }, 403],
  ["a method that is not allowed", "/api/create-checkout-session", { method: "GET" }, 405],
  ["a webhook without a signature", "/api/stripe/webhook", { method: "POST", body: "{}" }, 400],
  ["a redirect to sign-in", "/dashboard", {}, 302],
  ["an address with a slash at its end", "/pricing/", {}, 308],
  ["an unknown address", "/nowhere", {}, 404],
  ["an address full of oddities", "/%00/%ff/..%2f..%2fetc", {}, 404],
  ["data of an unknown page", "/nowhere.data", {}, 404],
  ["the data of a page", "/pricing.data", {}, 200],
  ["the manifest of routes", "/__manifest?paths=%2Fpricing&version=none", {}, 204],
];

test.each(sample(others, 6))("%s has the safety headers", async (what, path, init, status) => {
  const response = await fetch(siteUrl + path, { ...init, redirect: "manual" });
  expectSafetyHeaders(response, what);
  expect([200, 204, 302, 308, 400, 403, 404, 405, 413]).toContain(response.status);
  if (!path.startsWith("/__manifest") && !path.endsWith("nowhere.data")) {
    expect(response.status).toBe(status);
  }
});

testInProof.each(["OPTIONS", "PUT", "DELETE", "PATCH"])(
  "%s on a page is refused without a 5xx",
  async (method) => {
    const response = await new Visitor().request("/pricing", { method });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expectSafetyHeaders(response, method);
  },
);

test("other sites learn nothing of an address with a token, and we ourselves neither", async () => {
  for (const path of ["/auth/confirm?token_hash=x&type=email", "/AUTH/Confirm?token_hash=x"]) {
    const { headers } = await new Visitor().request(path);
    expect([path, headers.get("referrer-policy")]).toEqual([path, "strict-origin"]);
  }
});

test("assets may be kept for good, and are nosniff and bound to this site", async () => {
  const page = await (await new Visitor().request("/")).text();
  const assets = new Set(
    [...page.matchAll(/"(\/assets\/[^"]+\.(?:js|css|woff2))"/g)].map(([, path = ""]) => path),
  );
  expect(assets.size).toBeGreaterThan(2);
  for (const path of assets) {
    const response = await fetch(siteUrl + path);
    await response.body?.cancel();
    expect(response.status, path).toBe(200);
    expect(response.headers.get("cache-control"), path).toContain("immutable");
    expect(response.headers.get("x-content-type-options"), path).toBe("nosniff");
    expect(response.headers.get("cross-origin-resource-policy"), path).toBe("same-origin");
    expect(response.headers.get("content-security-policy"), path).toContain(
      "frame-ancestors 'none'",
    );
  }
});
