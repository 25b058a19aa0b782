import { LegalPage } from "~/components/reading/legal-page";
import { pageMeta } from "~/components/reading/page-meta";
import { loadPage } from "~/content/markdown/pages.server";
import { publicPage } from "~/request/cache-policies";
import type { Route } from "./+types/license";

export const meta: Route.MetaFunction = ({ loaderData }) => pageMeta(loaderData);

export const headers = () => publicPage;

export const loader = (args: Route.LoaderArgs) => loadPage("legal/license", args);

export default function License({ loaderData }: Route.ComponentProps) {
  return <LegalPage page={loaderData} />;
}
