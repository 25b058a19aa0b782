export type Freshness = {
  /** Seconds for which a stored page is served as it is. */
  fresh: number;
  /** Seconds after that in which it is still served, while a new one is rendered. */
  stale: number;
};

/** What a `Cache-Control` header allows a shared cache (RFC 9111, RFC 5861); undefined: nothing. */
export function parseCacheControl(value: string | null): Freshness | undefined {
  if (!value) return;
  const directives = new Map(
    value.split(",").map((part) => {
      const [name = "", argument = ""] = part.trim().toLowerCase().split("=");
      return [name, argument] as const;
    }),
  );
  if (!directives.has("public") || directives.has("no-store") || directives.has("private")) return;
  const seconds = (name: string) => Number.parseInt(directives.get(name) ?? "", 10) || 0;
  const fresh = seconds("s-maxage");
  return fresh > 0 ? { fresh, stale: seconds("stale-while-revalidate") } : undefined;
}

/**
 * A public page is served from the page cache for a day, and for a week more while a new one is rendered in the
 * background. Browsers get another policy, from the page cache.
 */
const publicPage = "public, max-age=0, s-maxage=86400, stale-while-revalidate=604800";

/** Gives a public route's answer the policy of the page cache, if it is a success and has no policy of its own. */
export function forPageCache(response: Response): Response {
  if (response.status === 200 && !response.headers.has("cache-control")) {
    response.headers.set("cache-control", publicPage);
  }
  return response;
}
