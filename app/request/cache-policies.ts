/** Pages that are the same for everybody: a minute in browsers, a day in our cache, then refreshed. */
export const publicPage = {
  "cache-control": "public, max-age=60, s-maxage=86400, stale-while-revalidate=604800",
} as const;
