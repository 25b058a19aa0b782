import { blog } from "~/content/reading";
import { appContext } from "~/http/app-context";
import { escapeMarkup } from "~/http/encodings";
import type { RouteHandle } from "~/http/route-handle";
import { listArticles } from "~/ui/reading/pages.server";
import type { Route } from "./+types/rss";

export const handle = { isPublic: true } satisfies RouteHandle;

/** The blog as RSS 2.0. */
export async function loader({ context }: Route.LoaderArgs) {
  const { SITE_URL } = context.get(appContext).configuration;
  const articles = await listArticles(context);
  const items = articles.map(({ slug, title, description, date }) => {
    const address = `${SITE_URL}/blog/${slug}`;
    return [
      "<item>",
      element("title", title),
      element("link", address),
      `<guid isPermaLink="true">${escapeMarkup(address)}</guid>`,
      element("pubDate", rssDate(date)),
      element("description", description),
      "</item>",
    ].join("");
  });
  const feed = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>',
    element("title", `${blog.author} ${blog.title}`),
    element("link", `${SITE_URL}/blog`),
    `<atom:link href="${escapeMarkup(SITE_URL + blog.feed)}" rel="self" type="application/rss+xml"/>`,
    element("description", blog.description),
    element("language", "en"),
    articles[0] ? element("lastBuildDate", rssDate(articles[0].date)) : "",
    ...items,
    "</channel></rss>",
  ].join("\n");
  return new Response(feed, {
    headers: { "Content-Type": "application/rss+xml; charset=utf-8" },
  });
}

function element(name: string, text: string): string {
  return `<${name}>${escapeMarkup(text)}</${name}>`;
}

function rssDate(day: string): string {
  return new Date(day).toUTCString();
}
