import { DocsPage } from "~/components/reading/docs-page";
import { docsMeta } from "~/components/reading/reading-meta";
import { loadPage } from "~/content/markdown/pages.server";
import { publicPage } from "~/request/cache-policies";
import type { Route } from "./+types/getting-started";

export const meta: Route.MetaFunction = ({ loaderData }) =>
  docsMeta(loaderData, "/docs/getting-started");

export const headers = () => publicPage;

export const loader = (args: Route.LoaderArgs) => loadPage("docs/getting-started", args);

export default function GettingStarted({ loaderData }: Route.ComponentProps) {
  return <DocsPage page={loaderData} path="/docs/getting-started" />;
}
