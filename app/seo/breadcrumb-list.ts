import { absoluteUrl } from "~/seo/site-origin";
import type { Thing } from "./thing";

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
