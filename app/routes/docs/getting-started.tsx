import { publicPage } from "~/http/cache/cache-policies";
import { docsMeta } from "~/seo/reading-meta";
import { DocsPage } from "~/ui/reading/docs-page";
import { loadPage } from "~/ui/reading/pages.server";
import type { Route } from "./+types/getting-started";

export const meta: Route.MetaFunction = ({ loaderData }) =>
  docsMeta(loaderData, "/docs/getting-started");

export const headers = () => publicPage;

export const loader = (args: Route.LoaderArgs) => loadPage("docs/getting-started", args);

export default function GettingStarted({ loaderData }: Route.ComponentProps) {
  return <DocsPage page={loaderData} path="/docs/getting-started" />;
}
