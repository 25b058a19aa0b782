import { LegalPage } from "~/components/reading/legal-page";
import { pageMeta } from "~/components/reading/page-meta";
import { loadPage } from "~/content/markdown/pages.server";
import { publicPage } from "~/request/cache-policies";
import type { Route } from "./+types/privacy";

export const meta: Route.MetaFunction = ({ loaderData }) => pageMeta(loaderData);

export const headers = () => publicPage;

export const loader = (args: Route.LoaderArgs) => loadPage("legal/privacy", args);

export default function Privacy({ loaderData }: Route.ComponentProps) {
  return <LegalPage page={loaderData} />;
}
