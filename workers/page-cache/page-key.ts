import { contactTopics } from "~/content/contact";
import { googleTools } from "~/content/google-tools";
import { offerKeys } from "~/content/plans";
import { services } from "~/content/services";
import { storyIds } from "~/content/stories";

/**
 * The query parameters that change what a public page shows, with every value they can have.
 * The page cache keeps one entry for each; anything else in a query is ignored.
 */
export const pageParameters: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> =
  {
    "/contact": { topic: contactTopics.map(({ value }) => value) },
    "/pricing": { plan: offerKeys },
    "/spotlight": { story: storyIds },
    "/services": { service: services.map(({ kind }) => kind) },
    "/google-services": {
      tool: googleTools.map(({ id }) => id),
      tab: [...new Set(googleTools.flatMap(({ tabs }) => tabs))],
    },
  };

export type PageKey = {
  /**
   * Identifies the stored page. It contains the id of the deployed version, so that a deploy starts with an empty
   * cache.
   */
  key: string;
  /** The address to render: known parameters only, in a fixed order. */
  url: string;
};

/**
 * Reduces an address to what the page depends on. Unknown parameters and unknown values are left
 * out, so no query can fill the cache or change what others see.
 * Undefined for addresses that are not cached: partial data requests name the routes they want.
 */
export function pageKey(url: URL, pagePath: string, version: string): PageKey | undefined {
  if (!url.search) return withQuery(url, version, "");
  if (url.pathname.endsWith(".data") && url.searchParams.has("_routes")) return;
  const parameters = pageParameters[pagePath];
  const keyParameters = new URLSearchParams();
  if (parameters) {
    for (const [name, values] of Object.entries(parameters)) {
      const value = url.searchParams.get(name);
      if (value !== null && values.includes(value)) keyParameters.set(name, value);
    }
  }
  return withQuery(url, version, keyParameters.size > 0 ? `?${keyParameters}` : "");
}

function withQuery(url: URL, version: string, query: string): PageKey {
  return {
    key: `page/${version}${url.pathname}${query}`,
    url: `${url.origin}${url.pathname}${query}`,
  };
}

/** The path of the page that an address shows, or whose data it returns (`/pricing.data`, `/_.data`). */
export function pagePathOf(pathname: string): string {
  if (!pathname.endsWith(".data")) return pathname;
  return pathname.endsWith("/_.data") ? pathname.slice(0, -6) : pathname.slice(0, -5);
}
