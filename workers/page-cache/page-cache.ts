import { namesTag } from "~/http/hashes";
import { describeError, log } from "~/platform/log/log.server";
import type { PageKey } from "./page-key";
import { deserialize, type StoredPage, serialize, storable } from "./stored-page";

type Remembered = {
  page: StoredPage;
  headers: Headers;
  /** The headers of the last answer. They are used again while age and status are the same. */
  lastAnswer: { age: number; status: string; headers: Headers } | undefined;
  /** When KV was last asked whether this page is still the one to serve. */
  checkedAt: number;
};

export type Rendering = {
  key: PageKey;
  kv: KVNamespace;
  render: () => Promise<Response>;
  waitUntil: (work: Promise<unknown>) => void;
};

/**
 * How long a page is served from memory before KV is asked again. A purge deletes pages only in KV, and takes a while
 * to reach every place.
 */
const trustMemoryMs = 60_000;
/** The timeout of KV. After it the page is rendered. */
export const kvTimeoutMs = 300;
const sharedRenderTimeoutMs = 5_000;
const memoryLimit = 200;

const memory = new Map<string, Remembered>();
const renderings = new Map<string, Promise<Response>>();

/**
 * Serves a page from this isolate's memory, else from KV, else renders it. Stale pages are served while a new one is
 * rendered. If KV fails or is slow, the page is rendered; that is never an error.
 */
export async function servePage(request: Request, rendering: Rendering): Promise<Response> {
  const { key } = rendering.key;
  const now = Date.now();
  const remembered = memory.get(key);
  if (remembered) {
    const age = secondsSince(remembered.page.renderedAt, now);
    const { fresh, stale } = remembered.page.freshness;
    if (age < fresh + stale) {
      if (age >= fresh) refresh(rendering, remembered);
      else if (now - remembered.checkedAt > trustMemoryMs) recheck(rendering, remembered);
      return answer(request, remembered, age, age < fresh ? "hit; detail=memory" : staleHit);
    }
    memory.delete(key);
  }

  const stored = await readKv(rendering);
  if (stored) {
    const age = secondsSince(stored.renderedAt, now);
    const { fresh, stale } = stored.freshness;
    if (age < fresh + stale) {
      const entry = remember(key, stored);
      if (age >= fresh) refresh(rendering, entry);
      return answer(request, entry, age, age < fresh ? "hit; detail=kv" : staleHit);
    }
  }
  return renderOnce(request, rendering);
}

/** RFC 9211: a stale hit has a negative ttl. */
const staleHit = "hit; detail=stale";

async function readKv({ kv, key }: Rendering): Promise<StoredPage | undefined> {
  try {
    const value = await Promise.race([kv.get(key.key, "arrayBuffer"), expired(kvTimeoutMs)]);
    return value ? deserialize(value) : undefined;
  } catch (error) {
    log.warn("KV did not answer", { path: key.key, ...describeError(error) });
  }
}

/** Renders a page once for everybody who waits for it, and stores it if it may be stored. */
async function renderOnce(request: Request, rendering: Rendering): Promise<Response> {
  const { key } = rendering.key;
  const shared = renderings.get(key);
  if (shared) {
    // If the request that renders is cancelled, its render ends too. The others then render by themselves.
    const response = await Promise.race([shared, expired(sharedRenderTimeoutMs)]).catch(() => null);
    const remembered = memory.get(key);
    if (response && remembered) return answer(request, remembered, 0, "fwd=miss; collapsed");
    if (renderings.get(key) === shared) renderings.delete(key);
    return rendering.render();
  }
  const render = renderAndStore(rendering).finally(() => renderings.delete(key));
  renderings.set(key, render);
  rendering.waitUntil(render.catch(() => undefined));
  const response = await render;
  const entry = memory.get(key);
  if (entry) return answer(request, entry, 0, "fwd=miss; stored");
  response.headers.set("cache-status", "livekit-deploy; fwd=miss");
  return response;
}

async function renderAndStore(rendering: Rendering): Promise<Response> {
  const { key, kv, render, waitUntil } = rendering;
  const response = await render();
  const page = await storable(response);
  if (!page) {
    memory.delete(key.key);
    return response;
  }
  remember(key.key, page);
  const { fresh, stale } = page.freshness;
  waitUntil(
    (async () =>
      kv.put(key.key, serialize(page), { expirationTtl: Math.max(60, fresh + stale) }))().catch(
      (error) => log.warn("KV did not store", { path: key.key, ...describeError(error) }),
    ),
  );
  return response;
}

/** Renders a stale page anew in the background, once per isolate at a time. */
function refresh(rendering: Rendering, remembered: Remembered): void {
  const { key } = rendering.key;
  const now = Date.now();
  // One render at a time. One that has not ended after `trustMemoryMs` is not waited for any more.
  if (renderings.has(key) && now - remembered.checkedAt < trustMemoryMs) return;
  remembered.checkedAt = now;
  const render = renderAndStore(rendering).finally(() => renderings.delete(key));
  renderings.set(key, render);
  rendering.waitUntil(
    render.catch((error) =>
      log.warn("A page was not refreshed", { path: key, ...describeError(error) }),
    ),
  );
}

/** Asks KV whether it still has the page that is in memory. A page that was purged is rendered anew. */
function recheck(rendering: Rendering, remembered: Remembered): void {
  remembered.checkedAt = Date.now();
  rendering.waitUntil(
    readKv(rendering).then((stored) => {
      if (!stored) refresh(rendering, remembered);
      else if (stored.renderedAt > remembered.page.renderedAt) remember(rendering.key.key, stored);
    }),
  );
}

function remember(key: string, page: StoredPage): Remembered {
  const headers = new Headers(page.headers.map(([name, value]) => [name, value]));
  headers.set("etag", page.etag);
  // The route's policy is for this cache. Browsers ask each time and mostly get a 304: a page kept
  // longer elsewhere would name scripts and prices that a deploy has replaced.
  headers.set("cache-control", "public, max-age=0, must-revalidate");
  const remembered: Remembered = {
    page,
    headers,
    lastAnswer: undefined,
    checkedAt: Date.now(),
  };
  memory.delete(key);
  memory.set(key, remembered);
  if (memory.size > memoryLimit) {
    const [oldest] = memory.keys();
    if (oldest !== undefined) memory.delete(oldest);
  }
  return remembered;
}

function answer(request: Request, remembered: Remembered, age: number, status: string): Response {
  const headers = answerHeaders(remembered, age, status);
  if (namesTag(request.headers.get("if-none-match"), remembered.page.etag)) {
    const notModified = new Headers(headers);
    notModified.delete("content-type");
    return new Response(null, { status: 304, headers: notModified });
  }
  return new Response(request.method === "HEAD" ? null : remembered.page.body, { headers });
}

function answerHeaders(remembered: Remembered, age: number, status: string): Headers {
  const last = remembered.lastAnswer;
  if (last?.age === age && last.status === status) return last.headers;
  const headers = new Headers(remembered.headers);
  headers.set("age", String(age));
  headers.set(
    "cache-status",
    `livekit-deploy; ${status}; ttl=${remembered.page.freshness.fresh - age}`,
  );
  remembered.lastAnswer = { age, status, headers };
  return headers;
}

function secondsSince(then: number, now: number): number {
  return Math.max(0, Math.floor((now - then) / 1_000));
}

/** A timeout, for a race against KV or against another request's render: after it this request renders by itself. */
function expired(afterMs: number): Promise<null> {
  return new Promise((resolve) => setTimeout(resolve, afterMs, null));
}
