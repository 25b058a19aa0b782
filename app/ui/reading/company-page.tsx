import { companyPages } from "~/content/reading";
import type { Page } from "~/ui/reading/pages.server";
import { ReadingPage } from "./reading-page";
import { SiblingNavigation } from "./sibling-pages";

/** A page about us. */
export function CompanyPage({ page }: { page: Page }) {
  return (
    <ReadingPage page={page} rail={<SiblingNavigation label="About us" pages={companyPages} />} />
  );
}
