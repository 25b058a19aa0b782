import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { testInProof } from "../../support/run/variants.ts";
import { portBase, startOwnWorker } from "../../support/site/own-site.ts";
import { publicPaths, siteRoutes } from "../../support/site/site-routes.ts";

let worker: Awaited<ReturnType<typeof startOwnWorker>>;

beforeAll(async () => {
  worker = await startOwnWorker((siteUrl) => exampleVariables({ siteUrl, portBase }));
});

afterAll(() => worker[Symbol.asyncDispose]());

/** Each test starts with an empty KV; memory is kept, so each looks at a page of its own. */
beforeEach(async () => {
  const kv = await worker.pageCache();
  for (const { name } of (await kv.list()).keys) await kv.delete(name);
});

/** The addresses of which KV holds a page. */
async function storedPaths() {
  const kv = await worker.pageCache();
  const keys = (await kv.list()).keys.map(({ name }) => name);
  return keys.map((key) => key.replace(/^page\/[^/]+/, "")).sort();
}

test("the second request for a page is a hit with the same body, and 304 works", async () => {
  const first = await fetch(`${worker.url}/pricing`);
  const second = await fetch(`${worker.url}/pricing`);
  expect(first.headers.get("cache-status")).toMatch(/fwd=miss; stored/);
  expect(second.headers.get("cache-status")).toMatch(/hit; detail=memory/);
  expect(second.headers.get("age")).toMatch(/^\d+$/);
  expect(second.headers.get("cache-control")).toBe("public, max-age=0, must-revalidate");
  expect(await second.text()).toBe(await first.text());

  const etag = second.headers.get("etag") ?? "";
  const third = await fetch(`${worker.url}/pricing`, { headers: { "if-none-match": etag } });
  expect(third.status).toBe(304);
  expect(third.headers.get("content-security-policy")).toBe(
    second.headers.get("content-security-policy"),
  );
});

test("different query strings make one cache entry", async () => {
  const etags = new Set<string | null>();
  for (let batch = 0; batch < 10; batch++) {
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        fetch(`${worker.url}/faq?utm_source=${batch}-${index}&_routes=${index}&${index}=${batch}`),
      ),
    );
    for (const response of responses) {
      etags.add(response.headers.get("etag"));
      await response.body?.cancel();
    }
  }
  expect(etags.size).toBe(1);
  expect(await storedPaths()).toEqual(["/faq"]);
});

test("nothing that a visitor sends reaches a cached page", async () => {
  const poison = "poison-5d1f";
  const poisoned = await fetch(`${worker.url}/services?x=${poison}`, {
    headers: {
      cookie: `sb-127-auth-token=${poison}; signed-in=1`,
      "accept-language": poison,
      "user-agent": poison,
      referer: `https://${poison}.example/`,
      "x-forwarded-host": `${poison}.example`,
      "x-forwarded-proto": poison,
      "x-original-url": `/${poison}`,
    },
  });
  const clean = await fetch(`${worker.url}/services`);
  expect(poisoned.headers.get("cache-status")).toMatch(/fwd=miss; stored/);
  expect(clean.headers.get("cache-status")).toMatch(/hit; detail=memory/);
  const body = await clean.text();
  expect(body).toBe(await poisoned.text());
  expect(body).not.toContain(poison);
  expect([...clean.headers].join()).not.toContain(poison);
});

test("pages that depend on who asks are never stored, whatever cookies come along", async () => {
  const cookie = "sb-127-auth-token=base64-garbage";
  for (const path of ["/signup", "/signin", "/dashboard", "/success", "/auth/callback?code=x"]) {
    const response = await fetch(worker.url + path, { headers: { cookie }, redirect: "manual" });
    expect(response.headers.get("cache-control"), path).toMatch(/no-store/);
    expect(response.headers.get("cache-status"), path).toBeNull();
    await response.body?.cancel();
  }
  const post = await fetch(`${worker.url}/pricing`, {
    method: "POST",
    headers: { origin: worker.url },
    body: new URLSearchParams({ plan: "nonsense" }),
  });
  expect(post.headers.get("cache-control")).toMatch(/no-store/);
  expect(await storedPaths()).toEqual([]);
});

test("what a public page answers to a form is kept nowhere", async () => {
  const post = await fetch(`${worker.url}/contact`, {
    method: "POST",
    headers: { origin: worker.url },
    body: new URLSearchParams({ message: "" }),
  });
  expect(post.status).toBeGreaterThanOrEqual(400);
  expect(post.headers.get("cache-control")).toBe("no-store");
});

test("page and data of a page are kept apart, and a partial data request is not kept", async () => {
  const page = await fetch(`${worker.url}/support`);
  const data = await fetch(`${worker.url}/support.data`);
  const partial = await fetch(`${worker.url}/support.data?_routes=root`);
  expect(page.headers.get("content-type")).toMatch(/text\/html/);
  expect(data.headers.get("content-type")).toMatch(/text\/x-script/);
  expect(partial.headers.get("cache-status")).toBeNull();
  expect(await storedPaths()).toEqual(["/support", "/support.data"]);
});

testInProof("a page has one address: a slash at its end leads to the one without", async () => {
  for (const [from, to] of [
    ["/pricing/", "/pricing"],
    ["/pricing///?a=1", "/pricing?a=1"],
    ["//evil.example/", "/evil.example"],
  ]) {
    const response = await fetch(worker.url + from, { redirect: "manual" });
    expect(response.status).toBe(308);
    expect(response.headers.get("location")).toBe(to);
  }
});

test("every page that is the same for everybody is kept, nothing else is, and what is kept sets no cookie", async () => {
  const files = [
    "/blog/rss.xml",
    "/llms.txt",
    "/robots.txt",
    "/sitemap.xml",
    "/.well-known/security.txt",
  ];
  const shared = [...publicPaths().filter((path) => path !== "/signup"), ...files];
  const all = new Set([...shared, ...siteRoutes().map(({ path }) => path.replaceAll(":", ""))]);
  const cachedPaths: string[] = [];
  for (const path of all) {
    const response = await fetch(worker.url + path, { redirect: "manual" });
    await response.body?.cancel();
    if (!/hit|stored/.test(response.headers.get("cache-status") ?? "")) continue;
    cachedPaths.push(path);
    expect(response.headers.getSetCookie(), path).toEqual([]);
    expect(response.headers.get("cache-control"), path).toContain("public");
  }
  expect(cachedPaths.toSorted()).toEqual(shared.toSorted());
});
