import { SectionMap } from "~/components/reading/contents";
import { DocsPage } from "~/components/reading/docs-page";
import { docsMeta } from "~/components/reading/reading-meta";
import { loadPage } from "~/content/markdown/pages.server";
import { publicPage } from "~/request/cache-policies";
import type { Route } from "./+types/overview";

export const meta: Route.MetaFunction = ({ loaderData }) => docsMeta(loaderData, "/docs");

export const headers = () => publicPage;

export const loader = (args: Route.LoaderArgs) => loadPage("docs/overview", args);

export default function Overview({ loaderData }: Route.ComponentProps) {
  return (
    <DocsPage
      page={loaderData}
      path="/docs"
      before={<SectionMap headings={loaderData.headings} />}
    />
  );
}
