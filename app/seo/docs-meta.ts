import { docsPages } from "~/content/reading";
import { breadcrumbList } from "~/seo/breadcrumb-list";
import { readingMeta } from "./reading-meta";

/** What a page of the documentation says about itself, with its place there. */
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
