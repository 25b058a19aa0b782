import { afterAll, beforeAll, expect, test } from "vitest";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { send } from "../../support/attacks/raw-http.ts";
import { portBase, startOwnWorker } from "../../support/site/own-site.ts";
import { publicPaths } from "../../support/site/site-routes.ts";

const poison = "poison-5d1f";

/** Nothing of these is part of a page's key, so nothing of them may be part of a page. */
const unkeyed: readonly Record<string, string>[] = [
  { host: `${poison}.example` },
  { "x-forwarded-host": `${poison}.example`, "x-forwarded-server": `${poison}.example` },
  { "x-forwarded-proto": poison, "x-forwarded-scheme": poison, "x-forwarded-port": "1" },
  { forwarded: `host=${poison}.example;proto=${poison}`, "x-forwarded-for": poison },
  { "cf-connecting-ip": poison, "cf-visitor": `{"scheme":"${poison}"}`, "cf-ray": poison },
  {
    "x-original-url": `/${poison}`,
    "x-rewrite-url": `/${poison}`,
    "x-http-method-override": "POST",
  },
  { "accept-language": poison, accept: "application/json", "accept-encoding": "identity" },
  {
    "user-agent": poison,
    referer: `https://${poison}.example/`,
    origin: `https://${poison}.example`,
  },
  { cookie: `sb-127-auth-token=${poison}; signed-in=1; ${poison}=1; after-sign-in=${poison}` },
  { authorization: `Bearer ${poison}`, "if-none-match": `"${poison}"`, range: "bytes=0-1" },
  { "x-react-router-request": poison, "x-remix-response": poison, purpose: "prefetch" },
];

let worker: Awaited<ReturnType<typeof startOwnWorker>>;

beforeAll(async () => {
  worker = await startOwnWorker((siteUrl) => exampleVariables({ siteUrl, portBase }));
});

afterAll(() => worker[Symbol.asyncDispose]());

/** Cold pages: each is asked for with poison first, by turns with each kind of it. */
const pages = [
  ...publicPaths().filter((path) => path !== "/signup"),
  ...["/_.data", "/pricing.data", "/docs/api.data", "/contact.data"],
  ...["/blog/rss.xml", "/sitemap.xml", "/robots.txt", "/.well-known/security.txt"],
  ...unkeyed.map((_, place) => `/contact?topic=${["sales", "support"][place % 2]}&cold=${place}`),
];

test("the first request for a cold page decides nothing of what the next one gets", async () => {
  expect(pages.length).toBeGreaterThan(unkeyed.length * 2);
  let stored = 0;
  for (const [place, target] of pages.entries()) {
    const all =
      place % 2 ? unkeyed[place % unkeyed.length] : Object.assign({}, ...unkeyed.slice(1));
    const headers = { host: new URL(worker.url).host, ...all };
    const poisoned = await send(worker.url, {
      method: "GET",
      target: `${target}${target.includes("?") ? "&" : "?"}x=${poison}`,
      headers,
    });
    const clean = await send(worker.url, { method: "GET", target, headers: {} });
    const what = `${target} after ${JSON.stringify(all)}`;
    expect.soft(clean.status, what).toBe(200);
    expect.soft(String(clean.headers["cache-status"]), what).toMatch(/hit/);
    expect.soft(clean.body, what).not.toContain(poison);
    expect.soft(JSON.stringify(clean.headers), what).not.toContain(poison);
    if (/fwd=miss; stored/.test(String(poisoned.headers["cache-status"]))) stored += 1;
  }
  expect(stored).toBeGreaterThan(20);
});

test("an error, a refusal or a redirect is kept for nobody", async () => {
  const host = new URL(worker.url).host;
  const poisoning: [method: string, target: string, headers: Record<string, string>][] = [
    ["GET", `/${poison}`, {}],
    ["GET", "/blog/no-such-article", {}],
    ["GET", "/about/", {}],
    ["POST", "/about", { origin: `https://${poison}.example`, "content-length": "0" }],
    ["OPTIONS", "/about", {}],
    ["HEAD", "/about", { "x-http-method-override": "DELETE" }],
    ["GET", "/about", { expect: poison, "content-length": "1" }],
  ];
  for (const [method, target, headers] of poisoning) {
    const body = headers["content-length"] === "1" ? "x" : undefined;
    await send(worker.url, { method, target, headers: { host, ...headers }, body });
  }
  const about = await send(worker.url, { method: "GET", target: "/about", headers: { host } });
  expect([about.status, about.body.includes("<h1")]).toEqual([200, true]);
  for (const target of [`/${poison}`, "/blog/no-such-article"]) {
    const again = await send(worker.url, { method: "GET", target, headers: { host } });
    expect(again.status).toBe(404);
    expect(String(again.headers["cache-status"])).not.toContain("hit");
  }
});
