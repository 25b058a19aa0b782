import type { UIMatch } from "react-router";
import type { Right } from "~/platform/database/role-rights";

/** A page on the way from the console's navigation to the page that is shown. */
export type Crumb = { to: string; label: string };

type Page = {
  params: UIMatch["params"];
  loaderData: unknown;
  /** What the addresses of the console begin with. */
  base: string;
};

/** What a page of the console exports as its `handle`, unless the navigation itself leads to it. */
export type ConsoleHandle = {
  /** The way to the page, which is the last one, from the entry of the navigation that it belongs to. */
  breadcrumbs?: (page: Page) => readonly Crumb[];
  /** What a role must allow for the forms of the page. A member whose role does not reads so. */
  right?: Right;
  /** Whether the page has more than such forms: then none of it is disabled for them. */
  isRead?: true;
};

/** The way to the innermost page that names one; without such a page it is empty. */
export function breadcrumbsOf(matches: readonly UIMatch[], base: string): readonly Crumb[] {
  for (const { handle, params, loaderData } of matches.toReversed()) {
    if (isConsoleHandle(handle) && handle.breadcrumbs) {
      return handle.breadcrumbs({ params, loaderData, base });
    }
  }
  return [];
}

/** What the page that is shown says of itself. */
export function handleOf(matches: readonly UIMatch[]): ConsoleHandle {
  return matches.map(({ handle }) => handle).findLast(isConsoleHandle) ?? {};
}

function isConsoleHandle(handle: unknown): handle is ConsoleHandle {
  return (
    typeof handle === "object" && handle !== null && ("breadcrumbs" in handle || "right" in handle)
  );
}
