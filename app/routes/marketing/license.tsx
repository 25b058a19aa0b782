import { LegalPage } from "~/components/reading/legal-page";
import { readingMeta } from "~/components/reading/reading-meta";
import { loadPage } from "~/content/markdown/pages.server";
import { publicPage } from "~/request/cache-policies";
import type { Route } from "./+types/license";

export const meta: Route.MetaFunction = ({ loaderData }) => readingMeta(loaderData, "/license");

export const headers = () => publicPage;

export const loader = (args: Route.LoaderArgs) => loadPage("legal/license", args);

export default function License({ loaderData }: Route.ComponentProps) {
  return <LegalPage page={loaderData} />;
}
