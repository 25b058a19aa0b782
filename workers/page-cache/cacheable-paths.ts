import type { ServerBuild } from "react-router";
import type { RouteHandle } from "~/http/route-handle";

export type Routes = ServerBuild["routes"];
type BuiltRoute = NonNullable<Routes[string]>;

/**
 * Tells by its path whether a page may be cached. A route opts in by its `handle`; it must not look at the
 * request's headers, and cannot: the cache renders it from a request that has none.
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

/** Whether a route says that what it shows is the same for everybody. */
export function isPublic({ module }: BuiltRoute): boolean {
  const fact: keyof RouteHandle = "isPublic";
  return typeof module.handle === "object" && module.handle !== null && fact in module.handle;
}

/** The path of a route from the root on, `/blog/:slug`. */
export function fullPath(route: BuiltRoute, routes: Routes): string {
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
