import { setTimeout as passing } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readSite } from "../../../scripts/smoke/call.ts";
import { smokeTest } from "../../../scripts/smoke/smoke-test.ts";
import { runCommand } from "../../support/commands/run-command.ts";
import { asVersion, changing, withoutHeader } from "../../support/deploy/changed-answers.ts";
import {
  type FaultProxy,
  type ProxyHandler,
  startFaultProxy,
} from "../../support/faults/fault-proxy.ts";
import { testInProof } from "../../support/run/variants.ts";
import { siteUrl } from "../../support/site/own-site.ts";

let between: FaultProxy;

beforeAll(async () => {
  between = await startFaultProxy(siteUrl);
});

afterAll(() => between[Symbol.asyncDispose]());

async function problems(retryForMs = 0): Promise<string[]> {
  const outcomes = await smokeTest(between.url, { retryForMs });
  return outcomes.flatMap(({ promise, problem }) => (problem ? `${promise}: ${problem}` : []));
}

test("the shipped site passes its smoke test, and says so check by check", async () => {
  const { code, output, complaint } = await runCommand("scripts/smoke/smoke.ts", [siteUrl]);
  expect(complaint).toBe("");
  expect(output).not.toContain("✗");
  expect(output.match(/^✓/gm)).toHaveLength(9);
  expect(output).toContain("– not compared: the prices at Stripe.");
  expect(code).toBe(0);
});

testInProof.each<[string, ProxyHandler, string]>([
  [
    "a servers Worker that does not answer",
    asVersion("1", { servers: null }),
    "the Worker runs and has its variables: the servers Worker does not answer the site",
  ],
  [
    "a home page without its words",
    changing("/", ({ body }) => ({ body: body.replaceAll("Confidence", "Luck") })),
    'the home page is there: / does not say "Deploy LiveKit Server with Confidence"',
  ],
  [
    "a wrong price",
    changing("/pricing", ({ body }) => ({ body: body.replaceAll("$109.99", "$1.09") })),
    '/pricing shows the prices: /pricing does not say "$109.99"',
  ],
  [
    "lost files",
    async (request, forward) =>
      request.path.startsWith("/assets/") ? { status: 404, body: "" } : forward(),
    "the files that a page names are there",
  ],
  [
    "a policy that lets any script run",
    changing("/", ({ headers }) => ({
      headers: { ...headers, "content-security-policy": "script-src 'self' 'unsafe-inline'" },
    })),
    "pages carry the security headers: the header content-security-policy of / says",
  ],
  [
    "no HSTS",
    withoutHeader("/", "strict-transport-security"),
    "the header strict-transport-security of / is missing",
  ],
  [
    "a page that no cache holds",
    withoutHeader("/faq", "cache-status"),
    "public pages come through the page cache: the header cache-status of /faq is missing",
  ],
  [
    "an unknown address that answers 200",
    changing("/no-such-page", () => ({ status: 200 })),
    "/no-such-page answered 200 instead of 404",
  ],
  [
    "a dashboard for everybody",
    changing("/dashboard", () => ({ status: 200 })),
    "the dashboard asks visitors to sign in: /dashboard answered 200 instead of 302",
  ],
  [
    "a checkout for foreign pages",
    changing("/api/create-checkout-session", () => ({ status: 200, body: "{}" })),
    "a checkout does not start for a foreign page",
  ],
  [
    "a Worker without its variables",
    async () => ({ status: 500, body: "This site is not set up yet" }),
    "the Worker runs and has its variables: /healthz answered 500 instead of 200",
  ],
  [
    "a site that hangs up",
    async () => "cut off",
    "the Worker runs and has its variables: no answer",
  ],
])("%s does not pass", async (_, handler, says) => {
  between.behave(handler);
  const found = await problems();
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(says);
});

testInProof("one lost answer does not fail the test", async () => {
  let lost = 0;
  between.behave(async (request, forward) =>
    request.path === "/pricing" && lost++ === 0 ? "cut off" : forward(),
  );
  expect(await problems(10_000)).toEqual([]);
  expect(lost).toBe(2);
});

testInProof(
  "one lost answer does not fail the test of a version that took all the patience to arrive",
  async () => {
    const retryForMs = 1_500;
    let lost = 0;
    between.behave(async (request, forward) => {
      if (request.path === "/healthz") await passing(retryForMs);
      return request.path === "/pricing" && lost++ === 0 ? "cut off" : forward();
    });
    expect(await problems(retryForMs)).toEqual([]);
    expect(lost).toBe(2);
  },
);

testInProof("the smoke test called without a site ends with code 2", async () => {
  const { code, complaint } = await runCommand("scripts/smoke/smoke.ts", []);
  expect(code).toBe(2);
  expect(complaint).toContain("Name one site.\nUsage: npm run smoke -- SITE");
});

testInProof.each(["www.example.com", "https://www.example.com/pricing", "ftp://www.example.com"])(
  "%s is no site",
  (given) => {
    expect(() => readSite(given)).toThrow("The site must look like https://www.example.com");
  },
);
