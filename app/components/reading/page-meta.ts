import { brand } from "~/content/chrome";

/** Title and description of a page of long text; none when it could not be loaded. */
export function pageMeta(page: { title: string; description: string } | undefined) {
  if (!page) return [];
  return [
    { title: `${page.title} · ${brand}` },
    { name: "description", content: page.description },
  ];
}
