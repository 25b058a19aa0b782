import { publicPage } from "~/http/cache/cache-policies";
import { readingMeta } from "~/seo/reading-meta";
import { CompanyPage } from "~/ui/reading/company-page";
import { loadPage } from "~/ui/reading/pages.server";
import type { Route } from "./+types/about";

export const meta: Route.MetaFunction = ({ loaderData }) => readingMeta(loaderData, "/about");

export const headers = () => publicPage;

export const loader = (args: Route.LoaderArgs) => loadPage("company/about", args);

export default function About({ loaderData }: Route.ComponentProps) {
  return <CompanyPage page={loaderData} />;
}
