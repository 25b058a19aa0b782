import { appContext } from "~/http/app-context";
import { publicPage } from "~/http/cache/cache-policies";
import { textFile } from "~/http/text-file";
import type { Route } from "./+types/robots";

export const headers = () => publicPage;

/** Tells crawlers where the sitemap is and which addresses lead them nowhere. */
export function loader({ context }: Route.LoaderArgs) {
  const { SITE_URL } = context.get(appContext).configuration;
  return textFile([
    "User-agent: *",
    "Disallow: /api/",
    "Disallow: /auth/",
    "Disallow: /dashboard",
    "",
    `Sitemap: ${SITE_URL}/sitemap.xml`,
  ]);
}
