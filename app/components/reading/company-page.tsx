import type { Page } from "~/content/markdown/pages.server";
import { companyPages } from "~/content/reading";
import { ReadingPage } from "./reading-page";
import { SiblingNavigation } from "./sibling-pages";

/** A page about us. */
export function CompanyPage({ page }: { page: Page }) {
  return (
    <ReadingPage page={page} rail={<SiblingNavigation label="About us" pages={companyPages} />} />
  );
}
