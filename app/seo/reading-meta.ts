import type { MetaDescriptor } from "react-router";
import { absoluteUrl, type PageDescription, pageMeta, type Thing } from "~/seo/page-meta";

/** What a page of long text says about itself; nothing when it could not be loaded. */
export function readingMeta(
  page: { title: string; description: string } | undefined,
  path: string,
  more: Pick<PageDescription, "structured"> = {},
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
