import { afterAll, beforeAll, expect, test } from "vitest";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { testInProof } from "../../support/run/variants.ts";
import { portBase, startOwnWorker } from "../../support/site/own-site.ts";
import { publicPaths } from "../../support/site/site-routes.ts";

const home = "https://www.example.com";
const elsewhere = [
  "http://www.example.com",
  "https://example.com",
  "https://www.example.com:8443",
  "https://www.example.com.evil.example",
  "https://livekit-deploy.somebody.workers.dev",
];
const deployed = {
  SITE_URL: home,
  STRIPE_WEBHOOK_SECRET: "whsec_a_test_of_origins",
  COOKIE_SECRET: Buffer.alloc(32, 7).toString("base64"),
};

let worker: Awaited<ReturnType<typeof startOwnWorker>>;

beforeAll(async () => {
  worker = await startOwnWorker((siteUrl) => ({
    ...exampleVariables({ siteUrl, portBase }),
    ...deployed,
  }));
});

afterAll(() => worker[Symbol.asyncDispose]());

test("a page at any other scheme or host leads to the same page of the site, with its query", async () => {
  const paths = [
    ...publicPaths(),
    "/signin",
    "/dashboard",
    "/nowhere",
    "/healthz",
    "/pricing.data",
  ];
  for (const path of paths) {
    for (const origin of elsewhere) {
      const { status, headers, body } = await worker.askAt(`${origin}${path}?next=%2Fa&b=1`);
      const what = origin + path;
      expect.soft([what, status]).toEqual([what, 308]);
      expect.soft(headers.get("location"), what).toBe(`${home}${path}?next=%2Fa&b=1`);
      expect.soft(headers.get("content-security-policy"), what).toContain("default-src 'none'");
      expect.soft(body).toBe("");
    }
  }
});

test("a page that is in the cache is not served elsewhere", async () => {
  for (const visit of [1, 2]) {
    const { status, headers } = await worker.askAt(`${home}/pricing`);
    expect([visit, status]).toEqual([visit, 200]);
    expect(headers.get("cache-status")).toContain("livekit-deploy");
  }
  const { status, headers } = await worker.askAt("http://www.example.com/pricing");
  expect([status, headers.get("location")]).toEqual([308, `${home}/pricing`]);
  expect(headers.get("cache-status")).toBeNull();
});

testInProof(
  "a wrong spelling elsewhere leads home in one step, and never to a third host",
  async () => {
    for (const [from, to] of [
      ["http://www.example.com//auth/confirm?token_hash=x", "/auth/confirm?token_hash=x"],
      ["http://www.example.com/PRICING/", "/pricing"],
      ["http://www.example.com//evil.example/", "/evil.example"],
      ["http://www.example.com/@evil.example", "/@evil.example"],
    ] as const) {
      expect((await worker.askAt(from)).headers.get("location")).toBe(home + to);
    }
  },
);

test("a form that is sent to another scheme or host is not processed, whatever its origin says", async () => {
  const body = new URLSearchParams({ email: "ada@example.com", password: "a long password" });
  for (const origin of elsewhere) {
    for (const from of [origin, home]) {
      const answer = await worker.askAt(`${origin}/signin`, {
        method: "POST",
        body: body.toString(),
        headers: { origin: from, "content-type": "application/x-www-form-urlencoded" },
      });
      expect.soft([answer.status, answer.headers.get("location")], origin).toEqual([403, null]);
      expect
        .soft(answer.body)
        .toBe(`Nothing was done: this address is not ours. Use ${home} and try again.`);
    }
  }
});

testInProof(
  "a program that speaks http is refused and not redirected, so that its operator notices",
  async () => {
    for (const [method, path] of [
      ["GET", "/api/model-config"],
      ["POST", "/api/token-usage"],
      ["POST", "/api/stripe/webhook"],
      ["POST", "/api/create-checkout-session"],
    ] as const) {
      const answer = await worker.askAt(`http://www.example.com${path}`, {
        method,
        headers: { authorization: "Bearer lkd_a_token", origin: home },
      });
      expect.soft([path, answer.status]).toEqual([path, 403]);
      const text = `Nothing was done: this address is not ours. Use ${home} and replace any token that was sent here.`;
      expect.soft(answer.headers.get("content-type")).toBe("application/problem+json");
      expect
        .soft(JSON.parse(answer.body))
        .toMatchObject({ status: 403, detail: text, error: text });
    }
  },
);

test("at its own address only the site's own pages may change something", async () => {
  const ask = (origin: string) =>
    worker.askAt(`${home}/signout`, { method: "POST", headers: { origin } });
  expect((await ask(home)).status).toBe(303);
  for (const origin of elsewhere)
    expect([origin, (await ask(origin)).status]).toEqual([origin, 403]);
});
