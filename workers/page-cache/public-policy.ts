/**
 * Pages that are the same for everybody: a day in our page cache, then refreshed behind the visitor.
 * Browsers get a policy of their own from the cache: they ask each time.
 */
const publicPage = "public, max-age=0, s-maxage=86400, stale-while-revalidate=604800";

/** What a public route answered to the page cache. Only a success may be kept, and only with no word against it. */
export function forPageCache(response: Response): Response {
  if (response.status === 200 && !response.headers.has("cache-control")) {
    response.headers.set("cache-control", publicPage);
  }
  return response;
}
