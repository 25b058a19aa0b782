import { publicPage } from "~/http/cache/cache-policies";
import { docsMeta } from "~/seo/reading-meta";
import { DocsPage } from "~/ui/reading/docs-page";
import { loadPage } from "~/ui/reading/pages.server";
import type { Route } from "./+types/api";

export const meta: Route.MetaFunction = ({ loaderData }) => docsMeta(loaderData, "/docs/api");

export const headers = () => publicPage;

export const loader = (args: Route.LoaderArgs) => loadPage("docs/api", args);

export default function ApiReference({ loaderData }: Route.ComponentProps) {
  return <DocsPage page={loaderData} path="/docs/api" />;
}
