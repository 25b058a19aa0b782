import { publicPage } from "~/http/cache/cache-policies";
import { docsMeta } from "~/seo/reading-meta";
import { SectionMap } from "~/ui/reading/contents";
import { DocsPage } from "~/ui/reading/docs-page";
import { loadPage } from "~/ui/reading/pages.server";
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
