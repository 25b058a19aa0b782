import type { UIMatch } from "react-router";

/** A page on the way from the console's navigation to the page that is shown. */
export type Crumb = { to: string; label: string };

type Page = { params: UIMatch["params"]; loaderData: unknown };

/** What a page of the console exports as its `handle`, unless the navigation itself leads to it. */
export type ConsoleHandle = {
  /** The way to the page, which is the last one, from the entry of the navigation that it belongs to. */
  breadcrumbs: (page: Page) => readonly Crumb[];
};

/** The way to the innermost page that names one; without such a page it is empty. */
export function breadcrumbsOf(matches: readonly UIMatch[]): readonly Crumb[] {
  for (const { handle, params, loaderData } of matches.toReversed()) {
    if (isConsoleHandle(handle)) return handle.breadcrumbs({ params, loaderData });
  }
  return [];
}

function isConsoleHandle(handle: unknown): handle is ConsoleHandle {
  return typeof handle === "object" && handle !== null && "breadcrumbs" in handle;
}
