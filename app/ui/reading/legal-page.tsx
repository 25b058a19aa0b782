import { legalPages } from "~/content/reading";
import type { Page } from "~/ui/reading/pages.server";
import { Day, ReadingPage } from "./reading-page";
import { SiblingNavigation } from "./sibling-pages";

/** One of the legal pages. What counts is when it last changed. */
export function LegalPage({ page }: { page: Page }) {
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
