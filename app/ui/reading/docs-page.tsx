import type { ReactNode } from "react";
import { docsPages } from "~/content/reading";
import type { Page } from "~/ui/reading/pages.server";
import { Day, ReadingPage } from "./reading-page";
import { BeforeAndAfter, SiblingNavigation } from "./sibling-pages";

/** One page of the documentation, in its place among the others. */
export function DocsPage({
  page,
  path,
  before,
}: {
  page: Page;
  path: (typeof docsPages)[number]["to"];
  before?: ReactNode;
}) {
  const place = docsPages.findIndex(({ to }) => to === path);
  return (
    <ReadingPage
      page={page}
      rail={<SiblingNavigation label="Documentation" pages={docsPages} />}
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
