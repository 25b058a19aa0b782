import type { ReactNode } from "react";
import { docsPages } from "~/content/reading";
import type { PlacedPage } from "~/ui/reading/pages.server";
import { DocsNavigation } from "./docs-navigation";
import { Day, ReadingPage } from "./reading-page";
import { BeforeAndAfter } from "./sibling-pages";

/** One page of the documentation, in its place among the others. */
export function DocsPage({ page, before }: { page: PlacedPage; before?: ReactNode }) {
  const place = docsPages.findIndex(({ to }) => to === page.path);
  return (
    <ReadingPage
      page={page}
      rail={<DocsNavigation />}
      markdown={`${page.path}.md`}
      before={before}
      after={
        <>
          <p className="mt-16 text-sm text-ink-soft">
            Last changed on <Day date={page.date} />
          </p>
          <BeforeAndAfter
            label="Documentation, page by page"
            before={docsPages[place - 1]}
            after={docsPages[place + 1]}
          />
        </>
      }
    />
  );
}
