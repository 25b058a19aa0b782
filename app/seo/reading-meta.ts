import type { MetaDescriptor } from "react-router";
import { docsPages } from "~/content/reading";
import { absoluteUrl, type PageDescription, pageMeta, type Thing } from "~/seo/page-meta";

/** What a page of long text says about itself; nothing when it could not be loaded. */
export function readingMeta(
  page: { title: string; description: string } | undefined,
  path: string,
  more: Pick<PageDescription, "structured" | "pictured"> = {},
) {
  return page ? pageMeta({ title: page.title, description: page.description, path, ...more }) : [];
}

/** Where the text of a page is as it was written. */
export function markdownAlternate(path: string): MetaDescriptor {
  return { tagName: "link", rel: "alternate", type: "text/markdown", href: `${path}.md` };
}

/** The way from the site's front to a page, the page itself last. */
export function breadcrumbList(steps: readonly { name: string; path: string }[]) {
  return {
    "@type": "BreadcrumbList",
    itemListElement: steps.map(({ name, path }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name,
      item: absoluteUrl(path),
    })),
  } satisfies Thing;
}

const overview = { title: "Documentation", path: "/docs" };

/** What a page of the documentation says about itself, with its place there. All of them share one picture. */
export function docsMeta(page: { title: string; description: string } | undefined, path: string) {
  const steps = [
    { name: "Home", path: "/" },
    { name: overview.title, path: overview.path },
    ...docsPages
      .filter(({ to }) => to === path && to !== overview.path)
      .map(({ label, to }) => ({ name: label, path: to })),
  ];
  return [
    ...readingMeta(page, path, { structured: [breadcrumbList(steps)], pictured: overview }),
    markdownAlternate(path),
  ];
}
