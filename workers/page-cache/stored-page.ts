import { type Freshness, parseCacheControl } from "./cache-control";

/** A rendered page as it is kept: everything but what belongs to one request. */
export type StoredPage = {
  body: string;
  headers: readonly (readonly [string, string])[];
  etag: string;
  /** Milliseconds since 1970. */
  renderedAt: number;
  freshness: Freshness;
};

const belongsToOneRequest = new Set(["x-request-id", "date", "content-length", "age"]);

/**
 * A page that may be kept, or undefined. Never kept: anything that sets a cookie, is not a success,
 * varies by request header, or does not say that it is public.
 */
export async function storable(response: Response): Promise<StoredPage | undefined> {
  const freshness = parseCacheControl(response.headers.get("cache-control"));
  if (!freshness || response.status !== 200) return;
  if (response.headers.has("set-cookie") || response.headers.has("vary")) return;
  const body = await response.clone().text();
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body));
  const etag = `"${btoa(String.fromCharCode(...new Uint8Array(digest, 0, 18)))}"`;
  return {
    body,
    headers: [...response.headers].filter(([name]) => !belongsToOneRequest.has(name)),
    etag,
    renderedAt: Date.now(),
    freshness,
  };
}

/** KV value: one line of JSON about the page, then the page. */
export function serialize({ body, ...head }: StoredPage): string {
  return `${JSON.stringify(head)}\n${body}`;
}

/** Reads a KV value back; undefined when it is not one of ours. */
export function deserialize(value: string): StoredPage | undefined {
  const end = value.indexOf("\n");
  if (end < 0) return;
  try {
    const head: Omit<StoredPage, "body"> = JSON.parse(value.slice(0, end));
    if (!Array.isArray(head.headers) || typeof head.etag !== "string") return;
    if (typeof head.renderedAt !== "number" || !head.freshness) return;
    return { ...head, body: value.slice(end + 1) };
  } catch {
    return;
  }
}
