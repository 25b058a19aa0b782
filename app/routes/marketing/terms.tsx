import { publicPage } from "~/http/cache/cache-policies";
import { readingMeta } from "~/seo/reading-meta";
import { LegalPage } from "~/ui/reading/legal-page";
import { loadPage } from "~/ui/reading/pages.server";
import type { Route } from "./+types/terms";

export const meta: Route.MetaFunction = ({ loaderData }) => readingMeta(loaderData, "/terms");

export const headers = () => publicPage;

export const loader = (args: Route.LoaderArgs) => loadPage("legal/terms", args);

export default function Terms({ loaderData }: Route.ComponentProps) {
  return <LegalPage page={loaderData} />;
}
