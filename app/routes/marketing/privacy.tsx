import { LegalPage } from "~/components/reading/legal-page";
import { readingMeta } from "~/components/reading/reading-meta";
import { loadPage } from "~/content/markdown/pages.server";
import { publicPage } from "~/request/cache-policies";
import type { Route } from "./+types/privacy";

export const meta: Route.MetaFunction = ({ loaderData }) => readingMeta(loaderData, "/privacy");

export const headers = () => publicPage;

export const loader = (args: Route.LoaderArgs) => loadPage("legal/privacy", args);

export default function Privacy({ loaderData }: Route.ComponentProps) {
  return <LegalPage page={loaderData} />;
}
