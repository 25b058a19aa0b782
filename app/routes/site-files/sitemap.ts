import { docsPages } from "~/content/reading";
import { appContext } from "~/http/app-context";
import { escapeMarkup } from "~/http/encodings";
import type { RouteHandle } from "~/http/route-handle";
import { lastChanges } from "~/ui/reading/pages.server";
import type { Route } from "./+types/sitemap";

export const handle = { isPublic: true } satisfies RouteHandle;

/** Not the same for everybody, and yet for search engines: it is where the site leads. */
const alsoListed = ["/signup"];

/** Every public page. A page has a date only where its text has one. */
export async function loader({ context }: Route.LoaderArgs) {
  const { configuration, publicPages } = context.get(appContext);
  const dates = await lastChanges(context);
  const documentation = docsPages.map(({ to }) => to);
  const paths = new Set([...publicPages, ...documentation, ...alsoListed, ...dates.keys()]);
  const entries = [...paths].map((path) => {
    const date = dates.get(path);
    const address = `<loc>${escapeMarkup(configuration.SITE_URL + path)}</loc>`;
    return `<url>${address}${date ? `<lastmod>${date}</lastmod>` : ""}</url>`;
  });
  const sitemap = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...entries,
    "</urlset>",
  ].join("\n");
  return new Response(`${sitemap}\n`, {
    headers: { "content-type": "application/xml; charset=utf-8" },
  });
}
