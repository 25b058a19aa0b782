import { LegalPage } from "~/components/reading/legal-page";
import { readingMeta } from "~/components/reading/reading-meta";
import { loadPage } from "~/content/markdown/pages.server";
import { publicPage } from "~/request/cache-policies";
import type { Route } from "./+types/terms";

export const meta: Route.MetaFunction = ({ loaderData }) => readingMeta(loaderData, "/terms");

export const headers = () => publicPage;

export const loader = (args: Route.LoaderArgs) => loadPage("legal/terms", args);

export default function Terms({ loaderData }: Route.ComponentProps) {
  return <LegalPage page={loaderData} />;
}
