/**
 * Pages that are the same for everybody: a day in our page cache, then refreshed behind the visitor.
 * Browsers get a policy of their own from the cache: they ask each time.
 */
export const publicPage = {
  "cache-control": "public, max-age=0, s-maxage=86400, stale-while-revalidate=604800",
} as const;
