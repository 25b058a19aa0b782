import { DocsPage } from "~/components/reading/docs-page";
import { docsMeta } from "~/components/reading/reading-meta";
import { loadPage } from "~/content/markdown/pages.server";
import { publicPage } from "~/request/cache-policies";
import type { Route } from "./+types/api";

export const meta: Route.MetaFunction = ({ loaderData }) => docsMeta(loaderData, "/docs/api");

export const headers = () => publicPage;

export const loader = (args: Route.LoaderArgs) => loadPage("docs/api", args);

export default function ApiReference({ loaderData }: Route.ComponentProps) {
  return <DocsPage page={loaderData} path="/docs/api" />;
}
