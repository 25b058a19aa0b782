import { publicPage } from "~/http/cache/cache-policies";
import { readingMeta } from "~/seo/reading-meta";
import { LegalPage } from "~/ui/reading/legal-page";
import { loadPage } from "~/ui/reading/pages.server";
import type { Route } from "./+types/license";

export const meta: Route.MetaFunction = ({ loaderData }) => readingMeta(loaderData, "/license");

export const headers = () => publicPage;

export const loader = (args: Route.LoaderArgs) => loadPage("legal/license", args);

export default function License({ loaderData }: Route.ComponentProps) {
  return <LegalPage page={loaderData} />;
}
