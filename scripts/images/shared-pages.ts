export type SharedPage = { title: string; path: string; image: string };

/**
 * The pages of the sitemap with the pictures that they name, and those that name none. Where pages share a picture, it
 * is that of the first.
 */
export async function sharedPages(
  siteUrl: string,
): Promise<{ pages: SharedPage[]; silent: string[] }> {
  const sitemap = await (await fetch(`${siteUrl}/sitemap.xml`)).text();
  const paths = [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map(
    ([, address = ""]) => new URL(address).pathname,
  );
  const pages: SharedPage[] = [];
  const silent: string[] = [];
  for (const path of paths) {
    const html = await (await fetch(siteUrl + path)).text();
    const title = property(html, "og:title");
    const image = property(html, "og:image");
    if (!title || !image) silent.push(path);
    else if (!pages.some((page) => image.endsWith(page.image))) {
      pages.push({ title, path, image: new URL(image).pathname });
    }
  }
  return { pages, silent };
}

function property(html: string, name: string): string | undefined {
  const content = new RegExp(`<meta property="${name}" content="([^"]*)"`).exec(html)?.[1];
  return content
    ?.replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
