import { textFile } from "~/http/answers";
import { appContext } from "~/http/app-context";
import type { RouteHandle } from "~/http/route-handle";
import type { Route } from "./+types/robots";

export const handle = { isPublic: true } satisfies RouteHandle;

/** robots.txt: where the sitemap is, and which addresses lead crawlers nowhere. */
export function loader({ context }: Route.LoaderArgs) {
  const { SITE_URL } = context.get(appContext).configuration;
  return textFile([
    "User-agent: *",
    "Disallow: /api/",
    "Disallow: /auth/",
    "Disallow: /dashboard",
    "",
    `Sitemap: ${SITE_URL}/sitemap.xml`,
    `# For language models: ${SITE_URL}/llms.txt`,
  ]);
}
