import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import routes from "../../../app/routes.ts";

export type SiteRoute = { path: string; file: string };

/** Every URL of app/routes.ts with the module that answers it. */
export function siteRoutes(): SiteRoute[] {
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

const forNobodyElse =
  /^routes\/(auth|dashboard|deployments|checkout|api|site-files)\/|^routes\/contact\/sent/;

/** What search engines should know: the pages without an account of their own, and all articles. */
export function publicPaths(): string[] {
  const pages = siteRoutes()
    .filter(({ file, path }) => file.endsWith(".tsx") && !path.includes(":"))
    .filter(({ file }) => !forNobodyElse.test(file))
    .map(({ path }) => path);
  const articles = globSync("app/content/blog/*.md").map(
    (file) => `/blog/${basename(file, ".md")}`,
  );
  return [...pages, ...articles, "/signup"].sort();
}
