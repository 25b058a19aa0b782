import type { MetaDescriptor } from "react-router";
import { brand } from "~/content/chrome";
import { absoluteUrl } from "~/seo/site-origin";
import { asDocument, type Thing } from "~/seo/thing";

export type PageDescription = {
  /** Without the brand, which is added where the title does not name it. */
  title: string;
  description: string;
  /** The page's one address, as a path. */
  path: string;
  /** The picture that a shared link shows, 1200 × 630; the page's own from `npm run pictures` if absent. */
  image?: string;
  type?: "website" | "article";
  /** What the page says in schema.org's terms. */
  structured?: readonly Thing[];
};

/** Everything that search engines and shared links read about a page. */
export function pageMeta({
  title,
  description,
  path,
  image = sharePicture(path),
  type = "website",
  structured = [],
}: PageDescription): MetaDescriptor[] {
  const url = absoluteUrl(path);
  const named = title.includes(brand);
  return [
    { title: named ? title : pageTitle(title) },
    { name: "description", content: description },
    { tagName: "link", rel: "canonical", href: url },
    { property: "og:site_name", content: brand },
    { property: "og:type", content: type },
    { property: "og:url", content: url },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { property: "og:image", content: absoluteUrl(image) },
    { property: "og:image:width", content: "1200" },
    { property: "og:image:height", content: "630" },
    { property: "og:image:alt", content: named ? title : `${brand}: ${title}` },
    { name: "twitter:card", content: "summary_large_image" },
    ...structured.map((thing) => ({ "script:ld+json": asDocument(thing) })),
  ];
}

/** The title of a browser's tab. */
export function pageTitle(title: string | number): string {
  return `${title} · ${brand}`;
}

/** Where the picture of a page is that `npm run pictures` draws. */
export function sharePicture(path: string): string {
  const name = path === "/" ? "home" : path.slice(1).replaceAll("/", "-");
  return `/images/share/${name}.png`;
}
