import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import { docsPages } from "../../../app/content/reading.ts";
import routes from "../../../app/routes.ts";

export type SiteRoute = { path: string; file: string };

/** The same pages of the console again, by the name of a workspace. */
const byName = "/dashboard/w/:slug";

/** Every URL of app/routes.ts with the module that answers it, the pages of a workspace at /dashboard alone. */
export function siteRoutes(): SiteRoute[] {
  return allRoutes().filter(({ path }) => !path.startsWith(byName));
}

/** The URLs of the pages of a workspace, by its name. */
export function workspaceRoutes(slug: string): SiteRoute[] {
  return allRoutes()
    .filter(({ path }) => path.startsWith(byName))
    .map(({ path, file }) => ({ path: path.replace(":slug", slug), file }));
}

function allRoutes(): SiteRoute[] {
  const flat = (entries: readonly RouteConfigEntry[], parent: string): SiteRoute[] =>
    entries.flatMap(({ path = "", file, children = [] }) => {
      const here = [parent, path].filter(Boolean).join("/");
      return [{ path: `/${here}`, file }, ...flat(children, here)];
    });
  if (!Array.isArray(routes)) throw new Error("app/routes.ts does not export a list.");
  return flat(routes, "");
}

/** Whether a route answers a GET: it has a page, or a loader alone. */
export function answersGet({ file }: SiteRoute): boolean {
  return /^export (default|(async )?function loader|const loader)\b/m.test(
    readFileSync(`app/${file}`, "utf8"),
  );
}

/** Whether a route takes forms, or other posts. */
export function takesForms({ file }: SiteRoute): boolean {
  return /^export (async )?(function|const) action\b/m.test(readFileSync(`app/${file}`, "utf8"));
}

const forNobodyElse =
  /^routes\/(auth|dashboard|deployments|servers|workspaces|checkout|api|site-files)\/|^routes\/contact\/sent/;

/** What search engines should know: the pages without an account of their own, and all articles. */
export function publicPaths(): string[] {
  const pages = siteRoutes()
    .filter(({ file, path }) => file.endsWith(".tsx") && !path.includes(":"))
    .filter(({ file }) => !forNobodyElse.test(file))
    .map(({ path }) => path);
  const articles = globSync("app/content/blog/*.md").map(
    (file) => `/blog/${basename(file, ".md")}`,
  );
  const documentation = docsPages.map(({ to }) => to).filter((to) => to !== "/docs");
  return [...pages, ...documentation, ...articles, "/signup"].sort();
}
