import { companyPages, legalPages } from "~/content/reading";
import type { RouteHandle } from "~/http/route-handle";
import { docsMeta } from "~/seo/docs-meta";
import { readingMeta } from "~/seo/reading-meta";
import { DocsPage } from "~/ui/reading/docs-page";
import { loadPageAt, type Page } from "~/ui/reading/pages.server";
import { Day, ReadingPage } from "~/ui/reading/reading-page";
import { SiblingNavigation } from "~/ui/reading/sibling-pages";
import { SizingCalculator } from "~/ui/reading/sizing/sizing-calculator";
import type { Route } from "./+types/markdown-page";

/** The pages that are one markdown file of `app/content` each, but for articles. */
export const meta: Route.MetaFunction = ({ loaderData: page }) =>
  page?.section === "docs" ? docsMeta(page, page.path) : readingMeta(page, page?.path ?? "");

export const handle = { isPublic: true, isReading: true } satisfies RouteHandle;

export function loader(args: Route.LoaderArgs) {
  const { params, pattern } = args;
  return loadPageAt("page" in params ? `/docs/${params.page}` : `/${pattern}`, args);
}

export default function MarkdownPage({ loaderData: page }: Route.ComponentProps) {
  // The key makes React start afresh on the next page: what was unfolded here is not unfolded there.
  switch (page.section) {
    case "docs":
      return (
        <DocsPage
          key={page.path}
          page={page}
          before={page.path === "/docs/sizing" ? <SizingCalculator /> : undefined}
        />
      );
    case "legal":
      return <LegalPage key={page.path} page={page} />;
    default:
      return (
        <ReadingPage
          key={page.path}
          page={page}
          rail={<SiblingNavigation label="About us" pages={companyPages} />}
        />
      );
  }
}

/** One of the legal pages. What counts is when it last changed. */
function LegalPage({ page }: { page: Page }) {
  return (
    <ReadingPage
      page={page}
      rail={
        <>
          <SiblingNavigation label="Legal pages" pages={legalPages} />
          <p className="mt-4 text-sm text-ink-soft lg:mt-6">
            Last changed
            <br className="hidden lg:inline" /> <Day date={page.date} />
          </p>
        </>
      }
    />
  );
}
