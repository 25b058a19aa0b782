import { docsPages } from "~/content/reading";
import type { PlacedPage } from "~/ui/reading/pages.server";
import { SectionMap } from "./contents";
import { Day, ReadingPage } from "./reading-page";
import { BeforeAndAfter, SiblingNavigation } from "./sibling-pages";

/** One page of the documentation, in its place among the others. */
export function DocsPage({ page }: { page: PlacedPage }) {
  const place = docsPages.findIndex(({ to }) => to === page.path);
  return (
    <ReadingPage
      page={page}
      rail={<SiblingNavigation label="Documentation" pages={docsPages} />}
      before={place === 0 ? <SectionMap headings={page.headings} /> : undefined}
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
