import { docsPages } from "~/content/reading";
import { breadcrumbList, markdownAlternate, readingMeta } from "./reading-meta";

const overview = { title: "Documentation", path: "/docs" };

/** What a page of the documentation says about itself, with its place there. */
export function docsMeta(page: { title: string; description: string } | undefined, path: string) {
  const steps = [
    { name: "Home", path: "/" },
    { name: overview.title, path: overview.path },
    ...docsPages
      .filter(({ to }) => to === path && to !== overview.path)
      .map(({ label, to }) => ({ name: label, path: to })),
  ];
  return [
    ...readingMeta(page, path, { structured: [breadcrumbList(steps)] }),
    markdownAlternate(path),
  ];
}
