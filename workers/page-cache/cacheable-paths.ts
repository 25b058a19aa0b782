import type { ServerBuild } from "react-router";
import type { RouteHandle } from "~/http/route-handle";

type Routes = ServerBuild["routes"];
type BuiltRoute = NonNullable<Routes[string]>;

/**
 * Answers by its path whether a page may be cached. Routes opt in by their `handle`. The page cache renders them from a
 * request without headers, so the page cannot depend on the visitor.
 */
export function cacheablePaths(routes: Routes): (pathname: string) => boolean {
  const literal = new Set<string>();
  const patterns: RegExp[] = [];
  for (const route of Object.values(routes)) {
    if (!route || !isPublic(route)) continue;
    const path = fullPath(route, routes);
    if (path.includes(":")) patterns.push(asPattern(path));
    else literal.add(path);
  }
  return (pathname) => literal.has(pathname) || patterns.some((pattern) => pattern.test(pathname));
}

/** The paths of all pages, as opposed to files, that are the same for everybody. */
export function publicPages(routes: Routes): string[] {
  return Object.values(routes)
    .filter((route) => route !== undefined && isPublic(route) && "default" in route.module)
    .map((route) => (route ? fullPath(route, routes) : ""))
    .filter((path) => !path.includes(":"));
}

/** Whether a route says that what it shows is the same for everybody. */
function isPublic({ module }: BuiltRoute): boolean {
  const fact: keyof RouteHandle = "isPublic";
  return typeof module.handle === "object" && module.handle !== null && fact in module.handle;
}

/** The whole path of a route, such as `/blog/:slug`. */
function fullPath(route: BuiltRoute, routes: Routes): string {
  const segments: string[] = [];
  let current: BuiltRoute | undefined = route;
  while (current) {
    if (current.path) segments.unshift(current.path);
    current = current.parentId ? routes[current.parentId] : undefined;
  }
  return `/${segments.join("/")}`;
}

function asPattern(path: string): RegExp {
  const source = path
    .split("/")
    .map((segment) =>
      segment.startsWith(":") ? "[a-z0-9-]{1,80}" : segment.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"),
    )
    .join("/");
  return new RegExp(`^${source}$`);
}
