/** What a route module exports as `handle`: facts about the route that the Worker reads without running it. */
export type RouteHandle = {
  /**
   * The page or file is the same for everybody. The page cache keeps it and renders it from a request that
   * carries nothing of the visitor; it is in the site map if it is a page.
   */
  isPublic?: true;
  /**
   * The page only reads: it is sent without React, and works by `app/page-script.ts` alone. So its components have
   * no state and no handlers. An effect runs only where somebody arrives from a page with React. A page that only
   * reads for some visitors says so by what its loader answered.
   */
  isReading?: true | ((loaderData: unknown) => boolean);
};

/** The `handle` of a layout that draws header and navigation itself: the root adds none around its pages. */
export const drawsShell = "own shell";

/** What the loader of a page answers that leads on by itself: where to, as a refresh says it, for browsers without script. */
export type RefreshingData = { refreshWithoutScript?: string };
