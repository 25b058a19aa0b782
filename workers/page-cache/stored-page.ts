import { entityTag } from "~/http/hashes";
import { type Freshness, parseCacheControl } from "./cache-control";

/** A rendered page as it is kept: everything but what belongs to one request. */
export type StoredPage = {
  /** The bytes as they are sent: decoding and encoding them again would be most of the cost of reading from KV. */
  body: Uint8Array<ArrayBuffer>;
  headers: readonly (readonly [string, string])[];
  etag: string;
  /** Milliseconds since 1970. */
  renderedAt: number;
  freshness: Freshness;
};

const belongsToOneRequest = new Set(["x-request-id", "date", "content-length", "age"]);

/**
 * The page to store; undefined if it may not be stored, because it sets a cookie, is not a success, varies by a
 * request header, or does not say that it is public.
 */
export async function storable(response: Response): Promise<StoredPage | undefined> {
  const freshness = parseCacheControl(response.headers.get("cache-control"));
  if (!freshness || response.status !== 200) return;
  if (response.headers.has("set-cookie") || response.headers.has("vary")) return;
  const body = new Uint8Array(await response.clone().arrayBuffer());
  return {
    body,
    headers: [...response.headers].filter(([name]) => !belongsToOneRequest.has(name)),
    etag: await entityTag(body),
    renderedAt: Date.now(),
    freshness,
  };
}

const lineEnd = 0x0a;

/** KV value: one line of JSON about the page, then the page. */
export function serialize({ body, ...head }: StoredPage): Uint8Array<ArrayBuffer> {
  const line = new TextEncoder().encode(`${JSON.stringify(head)}\n`);
  const value = new Uint8Array(line.length + body.length);
  value.set(line);
  value.set(body, line.length);
  return value;
}

/** Reads a KV value back; undefined when it is not one of ours. */
export function deserialize(value: ArrayBuffer): StoredPage | undefined {
  const bytes = new Uint8Array(value);
  const end = bytes.indexOf(lineEnd);
  if (end < 0) return;
  try {
    const line = new TextDecoder().decode(bytes.subarray(0, end));
    const head: Omit<StoredPage, "body"> = JSON.parse(line);
    if (!Array.isArray(head.headers) || typeof head.etag !== "string") return;
    if (typeof head.renderedAt !== "number" || !head.freshness) return;
    return { ...head, body: bytes.subarray(end + 1) };
  } catch {
    return;
  }
}
