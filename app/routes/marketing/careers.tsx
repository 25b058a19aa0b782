import { CompanyPage } from "~/components/reading/company-page";
import { readingMeta } from "~/components/reading/reading-meta";
import { loadPage } from "~/content/markdown/pages.server";
import { publicPage } from "~/request/cache-policies";
import type { Route } from "./+types/careers";

export const meta: Route.MetaFunction = ({ loaderData }) => readingMeta(loaderData, "/careers");

export const headers = () => publicPage;

export const loader = (args: Route.LoaderArgs) => loadPage("company/careers", args);

export default function Careers({ loaderData }: Route.ComponentProps) {
  return <CompanyPage page={loaderData} />;
}
