import type { MetaDescriptor } from "react-router";
import { type PageDescription, pageMeta } from "~/seo/page-meta";

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
