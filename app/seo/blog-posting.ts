import { absoluteUrl } from "~/seo/site-origin";
import type { Thing } from "./thing";

/** An article of the blog. */
export function blogPosting({
  title,
  description,
  path,
  image,
  published,
  author,
}: {
  title: string;
  description: string;
  path: string;
  image: string;
  /** The day, as in `2026-11-21`. */
  published: string;
  /** The organization that wrote it. */
  author: string;
}) {
  const writer = { "@type": "Organization", name: author, url: absoluteUrl("/") };
  return {
    "@type": "BlogPosting",
    headline: title,
    description,
    url: absoluteUrl(path),
    mainEntityOfPage: absoluteUrl(path),
    image: absoluteUrl(image),
    datePublished: published,
    author: writer,
    publisher: writer,
  } satisfies Thing;
}
