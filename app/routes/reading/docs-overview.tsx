import { Link } from "react-router";
import type { RouteHandle } from "~/http/route-handle";
import { docsMeta } from "~/seo/docs-meta";
import { DocsPage } from "~/ui/reading/docs-page";
import { type DocsGroup, listDocs, loadPageAt } from "~/ui/reading/pages.server";
import type { Route } from "./+types/docs-overview";

export const meta: Route.MetaFunction = ({ loaderData }) => docsMeta(loaderData?.page, "/docs");

export const handle = { isPublic: true, isReading: true } satisfies RouteHandle;

export async function loader(args: Route.LoaderArgs) {
  return { page: await loadPageAt("/docs", args), groups: await listDocs(args.context) };
}

export default function DocsOverview({ loaderData }: Route.ComponentProps) {
  const { page, groups } = loaderData;
  return <DocsPage key={page.path} page={page} before={<AllPages groups={groups} />} />;
}

/** Every other page with what it is about. */
function AllPages({ groups }: { groups: DocsGroup[] }) {
  return (
    <nav aria-label="All pages" className="mt-10 print:hidden">
      <ul className="grid gap-10 border-t border-line-strong pt-6">
        {groups.map(({ title, pages }) => (
          <li key={title}>
            <p className="font-strong">{title}</p>
            <ul className="mt-3 grid gap-x-8 gap-y-4 sm:grid-cols-2">
              {pages
                .filter(({ to }) => to !== "/docs")
                .map(({ to, label, description }) => (
                  <li key={to} className="text-sm">
                    <Link to={to} className="font-strong hover:underline">
                      {label}
                    </Link>
                    <p className="mt-1 text-ink-soft">{description}</p>
                  </li>
                ))}
            </ul>
          </li>
        ))}
      </ul>
    </nav>
  );
}
