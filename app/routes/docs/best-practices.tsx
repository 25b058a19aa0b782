import { publicPage } from "~/http/cache/cache-policies";
import { docsMeta } from "~/seo/reading-meta";
import { DocsPage } from "~/ui/reading/docs-page";
import { loadPage } from "~/ui/reading/pages.server";
import type { Route } from "./+types/best-practices";

export const meta: Route.MetaFunction = ({ loaderData }) =>
  docsMeta(loaderData, "/docs/best-practices");

export const headers = () => publicPage;

export const loader = (args: Route.LoaderArgs) => loadPage("docs/best-practices", args);

export default function BestPractices({ loaderData }: Route.ComponentProps) {
  return <DocsPage page={loaderData} path="/docs/best-practices" />;
}
