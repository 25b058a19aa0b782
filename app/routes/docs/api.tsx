import { DocsPage } from "~/components/reading/docs-page";
import { pageMeta } from "~/components/reading/page-meta";
import { loadPage } from "~/content/markdown/pages.server";
import { publicPage } from "~/request/cache-policies";
import type { Route } from "./+types/api";

export const meta: Route.MetaFunction = ({ loaderData }) => pageMeta(loaderData);

export const headers = () => publicPage;

export const loader = (args: Route.LoaderArgs) => loadPage("docs/api", args);

export default function ApiReference({ loaderData }: Route.ComponentProps) {
  return <DocsPage page={loaderData} path="/docs/api" />;
}
