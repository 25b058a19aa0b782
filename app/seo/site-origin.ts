/**
 * The origin of SITE_URL, for addresses that leave the site: canonical links, share pictures and
 * structured data. A `meta` function runs in the Worker and in browsers and is given no context, so
 * it is kept here: the Worker's configuration is the same for as long as its isolate lives.
 */
let known: string | undefined;

/** Tells the site's URL; the Worker does so before it renders. */
export function rememberSiteUrl(siteUrl: string): void {
  known = siteUrl;
}

/** The absolute address of a path of the site. */
export function absoluteUrl(path: string): string {
  known ??= siteUrlOfThisPage();
  return known + path;
}

/** A browser has no configuration: it reads the origin from the page's canonical link, or from its own address. */
function siteUrlOfThisPage(): string {
  const canonical = document.querySelector<HTMLLinkElement>('link[rel="canonical"]');
  return new URL(canonical?.href ?? document.baseURI).origin;
}
