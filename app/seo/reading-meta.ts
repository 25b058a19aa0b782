import { docsPages } from "~/content/reading";
import { breadcrumbList } from "~/seo/breadcrumb-list";
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

/** The same for a page of the documentation, with its place there. */
export function docsMeta(page: { title: string; description: string } | undefined, path: string) {
  const [overview] = docsPages;
  const steps = [
    { name: "Home", path: "/" },
    { name: "Documentation", path: overview.to },
    ...docsPages
      .filter(({ to }) => to === path && to !== overview.to)
      .map(({ label, to }) => ({ name: label, path: to })),
  ];
  return readingMeta(page, path, [breadcrumbList(steps)]);
}
