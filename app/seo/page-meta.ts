import type { MetaDescriptor } from "react-router";
import { brand } from "~/content/chrome";

export type PageDescription = {
  /** Without the brand, which is added where the title does not name it. */
  title: string;
  description: string;
  /** The page's one address, as a path. */
  path: string;
  /** The page whose picture from `npm run pictures`, 1200 × 630, a shared link shows; itself if absent. */
  pictured?: { title: string; path: string };
  type?: "website" | "article";
  /** What the page says in schema.org's terms. */
  structured?: readonly Thing[];
};

/** Everything that search engines and shared links read about a page. */
export function pageMeta({
  title,
  description,
  path,
  pictured = { title, path },
  type = "website",
  structured = [],
}: PageDescription): MetaDescriptor[] {
  const url = absoluteUrl(path);
  return [
    { title: title.includes(brand) ? title : pageTitle(title) },
    { name: "description", content: description },
    { tagName: "link", rel: "canonical", href: url },
    { property: "og:site_name", content: brand },
    { property: "og:type", content: type },
    { property: "og:url", content: url },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { property: "og:image", content: absoluteUrl(sharePicture(pictured.path)) },
    { property: "og:image:width", content: "1200" },
    { property: "og:image:height", content: "630" },
    { property: "og:image:alt", content: withBrand(pictured.title) },
    { name: "twitter:card", content: "summary_large_image" },
    ...structured.map((thing) => ({ "script:ld+json": asDocument(thing) })),
  ];
}

function withBrand(title: string): string {
  return title.includes(brand) ? title : `${brand}: ${title}`;
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

/**
 * The origin of SITE_URL, for addresses that leave the site: canonical links, share pictures and
 * structured data. A `meta` function runs in the Worker and in browsers and is given no context, so
 * it is kept here: the Worker's configuration is the same for as long as its isolate lives.
 */
let cached: string | undefined;

/** Sets the site's URL; the Worker does so before it renders. */
export function rememberSiteUrl(siteUrl: string): void {
  cached = siteUrl;
}

/** The absolute address of a path of the site. */
export function absoluteUrl(path: string): string {
  cached ??= siteUrlOfThisPage();
  return cached + path;
}

/** A browser has no configuration: it reads the origin from the page's canonical link, or from its own address. */
function siteUrlOfThisPage(): string {
  const canonical = document.querySelector<HTMLLinkElement>('link[rel="canonical"]');
  return new URL(canonical?.href ?? document.baseURI).origin;
}

type Value = string | number | boolean | Thing | readonly Value[] | undefined;

/** Something in schema.org's terms: what it is, and what is known about it. */
export type Thing = { readonly "@type": string; readonly [property: string]: Value };

/** A thing as a JSON-LD document of its own. */
function asDocument(thing: Thing) {
  return { "@context": "https://schema.org", ...thing };
}
