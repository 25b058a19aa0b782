import { DocsPage } from "~/components/reading/docs-page";
import { docsMeta } from "~/components/reading/reading-meta";
import { loadPage } from "~/content/markdown/pages.server";
import { publicPage } from "~/request/cache-policies";
import type { Route } from "./+types/best-practices";

export const meta: Route.MetaFunction = ({ loaderData }) =>
  docsMeta(loaderData, "/docs/best-practices");

export const headers = () => publicPage;

export const loader = (args: Route.LoaderArgs) => loadPage("docs/best-practices", args);

export default function BestPractices({ loaderData }: Route.ComponentProps) {
  return <DocsPage page={loaderData} path="/docs/best-practices" />;
}
