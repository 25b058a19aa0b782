import { pageMeta } from "~/seo/page-meta";
import type { Thing } from "~/seo/thing";

/** What a page of long text says about itself; nothing when it could not be loaded. */
export function readingMeta(
  page: { title: string; description: string } | undefined,
  path: string,
  structured: readonly Thing[] = [],
) {
  return page
    ? pageMeta({ title: page.title, description: page.description, path, structured })
    : [];
}
