import { LegalPage } from "~/components/reading/legal-page";
import { readingMeta } from "~/components/reading/reading-meta";
import { loadPage } from "~/content/markdown/pages.server";
import { publicPage } from "~/request/cache-policies";
import type { Route } from "./+types/cookies";

export const meta: Route.MetaFunction = ({ loaderData }) => readingMeta(loaderData, "/cookies");

export const headers = () => publicPage;

export const loader = (args: Route.LoaderArgs) => loadPage("legal/cookies", args);

export default function Cookies({ loaderData }: Route.ComponentProps) {
  return <LegalPage page={loaderData} />;
}
