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
