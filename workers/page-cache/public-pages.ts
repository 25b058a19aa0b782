import { fullPath, isPublic, type Routes } from "./cacheable-paths";

/** The paths of all pages, as opposed to files, that are the same for everybody. */
export function publicPages(routes: Routes): string[] {
  return Object.values(routes)
    .filter((route) => route !== undefined && isPublic(route) && "default" in route.module)
    .map((route) => (route ? fullPath(route, routes) : ""))
    .filter((path) => !path.includes(":"));
}
