import { expect, test, vi } from "vitest";
import { pageKey, pagePathOf } from "../../../workers/page-cache/page-key.ts";

/** One isolate: its own memory, as after a fresh start of the Worker. */
async function freshIsolate() {
  vi.resetModules();
  return import("../../../workers/page-cache/page-cache.ts");
}

/** A KV namespace that counts, and fails or hangs on demand. */
function countingKv() {
  const values = new Map<string, Uint8Array<ArrayBuffer>>();
  const kv = {
    reads: 0,
    writes: 0,
    mode: "works" as "works" | "throws" | "hangs",
    values,
    async get(key: string) {
      kv.reads += 1;
      if (kv.mode === "throws") throw new Error("KV is down");
      if (kv.mode === "hangs") return new Promise<null>(() => {});
      return values.get(key)?.buffer ?? null;
    },
    async put(key: string, value: Uint8Array<ArrayBuffer>) {
      kv.writes += 1;
      if (kv.mode === "throws") throw new Error("KV is down");
      values.set(key, value);
    },
  };
  return kv;
}

const policy = "public, max-age=60, s-maxage=100, stale-while-revalidate=1000";

/** A site of one page whose renders are counted and numbered. */
function site(kv: ReturnType<typeof countingKv>, responseHeaders: Record<string, string> = {}) {
  const background: Promise<unknown>[] = [];
  const counted = {
    renders: 0,
    status: 200,
    async settle() {
      while (background.length > 0) await background.shift();
    },
    rendering: {
      key: { key: "page/v1/pricing", url: "https://site.example/pricing" },
      kv: kv as unknown as KVNamespace,
      waitUntil: (work: Promise<unknown>) => void background.push(work),
      async render() {
        counted.renders += 1;
        return new Response(`page ${counted.renders}`, {
          status: counted.status,
          headers: {
            "cache-control": policy,
            "content-type": "text/html",
            "content-security-policy": "script-src 'sha256-abc'",
            ...responseHeaders,
          },
        });
      },
    },
  };
  return counted;
}

const get = (headers: Record<string, string> = {}, method = "GET") =>
  new Request("https://site.example/pricing", { headers, method });

test("a warm isolate serves a page without a render and without a KV read", async () => {
  const { servePage } = await freshIsolate();
  const kv = countingKv();
  const page = site(kv);
  await servePage(get(), page.rendering);
  await page.settle();
  const readsBefore = kv.reads;

  const responses = await Promise.all(
    Array.from({ length: 100 }, () => servePage(get(), page.rendering)),
  );

  expect(page.renders).toBe(1);
  expect(kv.reads).toBe(readsBefore);
  expect(await responses[99]?.text()).toBe("page 1");
  expect(responses[99]?.headers.get("cache-status")).toMatch(/^livekit-deploy; hit; detail=memory/);
});

test("a cold isolate serves a stored page after one KV read and no render", async () => {
  const kv = countingKv();
  const page = site(kv);
  const first = await freshIsolate();
  await first.servePage(get(), page.rendering);
  await page.settle();
  kv.reads = 0;

  const second = await freshIsolate();
  const response = await second.servePage(get(), page.rendering);

  expect(await response.text()).toBe("page 1");
  expect(response.headers.get("cache-status")).toMatch(/hit; detail=kv/);
  expect(response.headers.get("content-security-policy")).toBe("script-src 'sha256-abc'");
  expect({ renders: page.renders, reads: kv.reads }).toEqual({ renders: 1, reads: 1 });
});

test("many visitors of a page that nobody has rendered yet cost one render", async () => {
  const { servePage } = await freshIsolate();
  const page = site(countingKv());
  const responses = await Promise.all(
    Array.from({ length: 50 }, () => servePage(get(), page.rendering)),
  );
  const bodies = await Promise.all(responses.map((response) => response.text()));
  expect(page.renders).toBe(1);
  expect(new Set(bodies)).toEqual(new Set(["page 1"]));
});

test("a stale page is served at once while a new one is rendered behind it", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    const { servePage } = await freshIsolate();
    const page = site(countingKv());
    await servePage(get(), page.rendering);
    await page.settle();

    vi.setSystemTime(Date.now() + 150_000);
    const stale = await servePage(get(), page.rendering);
    expect(await stale.text()).toBe("page 1");
    expect(stale.headers.get("cache-status")).toMatch(/stale; ttl=-50/);
    expect(stale.headers.get("age")).toBe("150");
    await page.settle();
    expect(await (await servePage(get(), page.rendering)).text()).toBe("page 2");

    vi.setSystemTime(Date.now() + 2_000_000);
    expect(await (await servePage(get(), page.rendering)).text()).toBe("page 3");
  } finally {
    vi.useRealTimers();
  }
});

test("a page that was purged in KV is rendered anew once memory asks again", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    const { servePage } = await freshIsolate();
    const kv = countingKv();
    const page = site(kv);
    await servePage(get(), page.rendering);
    await page.settle();
    kv.values.clear();

    vi.setSystemTime(Date.now() + 61_000);
    expect(await (await servePage(get(), page.rendering)).text()).toBe("page 1");
    await page.settle();
    expect(await (await servePage(get(), page.rendering)).text()).toBe("page 2");
  } finally {
    vi.useRealTimers();
  }
});

test.for(["throws", "hangs"] as const)("KV that %s never fails a page", async (mode) => {
  const { servePage } = await freshIsolate();
  const kv = countingKv();
  kv.mode = mode;
  const page = site(kv);
  const response = await servePage(get(), page.rendering);
  expect(response.status).toBe(200);
  expect(await response.text()).toBe("page 1");
  expect(await (await servePage(get(), page.rendering)).text()).toBe("page 1");
});

test("a KV value that is none of ours is ignored", async () => {
  const kv = countingKv();
  for (const value of [
    "",
    "garbage",
    "{}\nbody",
    '{"headers":[],"etag":"x"}\nbody',
    '{"etag":1}\n',
  ]) {
    kv.values.set("page/v1/pricing", new TextEncoder().encode(value));
    const page = site(kv);
    const isolate = await freshIsolate();
    expect(await (await isolate.servePage(get(), page.rendering)).text()).toBe("page 1");
  }
});

test.for([
  [{ "set-cookie": "session=1" }, "sets a cookie"],
  [{ "cache-control": "private" }, "is private"],
  [{ "cache-control": "public, s-maxage=60, no-store" }, "says no-store"],
  [{ "cache-control": "public, max-age=60" }, "names no shared lifetime"],
  [{ vary: "Cookie" }, "varies by a request header"],
] as const)("a page that %s is never stored", async ([headers]) => {
  const { servePage } = await freshIsolate();
  const kv = countingKv();
  const page = site(kv, headers);
  await servePage(get(), page.rendering);
  await page.settle();
  await servePage(get(), page.rendering);
  expect(page.renders).toBe(2);
  expect(kv.values.size).toBe(0);
});

test("an error page is never stored", async () => {
  const { servePage } = await freshIsolate();
  const kv = countingKv();
  const page = site(kv);
  page.status = 500;
  await servePage(get(), page.rendering);
  page.status = 200;
  const response = await servePage(get(), page.rendering);
  expect(await response.text()).toBe("page 2");
});

test.for([
  ["the tag", (tag: string) => tag, 304],
  ["a weak form of it", (tag: string) => `W/${tag}`, 304],
  ["a list with it", (tag: string) => `"other", ${tag}`, 304],
  ["a star", () => "*", 304],
  ["another tag", () => '"other"', 200],
] as const)("If-None-Match with %s", async ([, header, status]) => {
  const { servePage } = await freshIsolate();
  const page = site(countingKv());
  const first = await servePage(get(), page.rendering);
  const tag = first.headers.get("etag") ?? "";
  expect(tag).toMatch(/^"[^"]+"$/);
  const second = await servePage(get({ "if-none-match": header(tag) }), page.rendering);
  expect(second.status).toBe(status);
  expect(second.headers.get("content-security-policy")).toBe("script-src 'sha256-abc'");
  expect(await second.text()).toBe(status === 304 ? "" : "page 1");
});

test("HEAD has the headers of GET and no body", async () => {
  const { servePage } = await freshIsolate();
  const page = site(countingKv());
  await servePage(get(), page.rendering);
  const head = await servePage(get({}, "HEAD"), page.rendering);
  expect(head.headers.get("etag")).toBeTruthy();
  expect(await head.text()).toBe("");
});

test("10,000 different query strings make one cache entry", async () => {
  const { servePage } = await freshIsolate();
  const kv = countingKv();
  const page = site(kv);
  for (let query = 0; query < 10_000; query++) {
    const url = new URL(`https://site.example/pricing?utm=${query}&${query}=x#${query}`);
    const key = pageKey(url, "/pricing", "v1");
    expect.soft(key).toBeDefined();
    if (key) await servePage(get(), { ...page.rendering, key });
  }
  await page.settle();
  expect(page.renders).toBe(1);
  expect(kv.values.size).toBe(1);
});

test("memory holds 200 pages however many are kept: the newest cost no read of KV, the oldest one", async () => {
  const { servePage } = await freshIsolate();
  const kv = countingKv();
  const page = site(kv);
  const serve = async (n: number) => {
    const key = { key: `page/v1/${n}`, url: "https://site.example/pricing" };
    return (await servePage(get(), { ...page.rendering, key })).headers.get("cache-status");
  };
  for (let n = 0; n < 2_000; n++) await serve(n);
  await page.settle();
  expect(kv.values.size).toBe(2_000);
  const { reads } = kv;
  expect(await serve(1_999)).toContain("detail=memory");
  expect(await serve(1_800)).toContain("detail=memory");
  expect(kv.reads).toBe(reads);
  expect(await serve(0)).toContain("detail=kv");
  expect(kv.reads).toBe(reads + 1);
  expect(page.renders).toBe(2_000);
});

test.each([
  ["/pricing", "/pricing"],
  ["/pricing.data", "/pricing"],
  ["/_.data", "/"],
  ["/docs/_.data", "/docs/"],
])("%s is of the page %s", (address, page) => {
  expect(pagePathOf(address)).toBe(page);
});
