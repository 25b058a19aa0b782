import { createContext, data, type RouterContextProvider } from "react-router";
import { addressOf, docsGroups } from "~/content/reading";
import { appContext } from "~/http/app-context";
import { fetchAsset } from "~/http/assets.server";
import type { Heading, MarkdownModule, PageSummary, PageText } from "./page";

const modules = import.meta.glob<MarkdownModule>(
  "../../content/{docs,blog,legal,company,samples}/*.md",
  {
    eager: true,
    import: "default",
  },
);
const pages = new Map(
  Object.entries(modules).map(([file, page]) => [
    file.slice("../../content/".length, -".md".length),
    page,
  ]),
);

export type Page = PageSummary & {
  headings: Heading[];
  /** The text. A document has it in its body already, so only data requests carry it. */
  html: string | undefined;
};

/** The text of the page that is being rendered; entry.server.tsx hands it to `Prose`. */
export const renderedText = createContext<string | null>(null);

/**
 * The page of one markdown file, by its folder and name: `docs/api`. Throws a 404 answer when there
 * is none, and an error when its text is not where the build put it.
 */
export async function loadPage(
  name: string,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
): Promise<Page> {
  const found = pages.get(name);
  if (!found) throw data(null, { status: 404 });
  const { html, headings } = found.text ?? (await fetchText(found.asset, context));
  context.set(renderedText, html);
  const isDataRequest = new URL(request.url).pathname.endsWith(".data");
  return { ...summaryOf(found), headings, html: isDataRequest ? html : undefined };
}

/** Where a markdown page stands: its address, and the folder of `app/content` that it belongs to. */
export type PlacedPage = Page & { path: string; section: string };

/** The page at an address that one markdown file answers: `/docs/api`. Throws as `loadPage` does. */
export async function loadPageAt(
  path: string,
  args: { request: Request; context: Readonly<RouterContextProvider> },
): Promise<PlacedPage> {
  const name = [...pages.keys()].find((each) => addressOf(each) === path) ?? path;
  const [section = ""] = name.split("/");
  return { ...(await loadPage(name, args)), path, section };
}

function summaryOf({ title, description, date, minutes }: MarkdownModule): PageSummary {
  return { title, description, date, minutes };
}

async function fetchText(asset: string, context: Readonly<RouterContextProvider>) {
  const response = await fetchAsset(asset, context.get(appContext));
  return response.json<PageText>();
}

export type Article = PageSummary & { slug: string };

export type DocsGroup = {
  title: string;
  pages: { to: string; label: string; description: string }[];
};

/** What the blog has, newest first, without the texts. */
export function listArticles(): Article[] {
  return [...pages]
    .filter(([name]) => name.startsWith("blog/"))
    .map(([name, page]) => ({ ...summaryOf(page), slug: name.slice("blog/".length) }))
    .sort((one, other) => other.date.localeCompare(one.date));
}

/** The documentation's groups of pages, each page with its description. */
export function listDocs(): DocsGroup[] {
  const descriptions = new Map(
    [...pages].map(([name, page]) => [addressOf(name), page.description]),
  );
  return docsGroups.map(({ title, pages }) => ({
    title,
    pages: pages.map((page) => ({ ...page, description: descriptions.get(page.to) ?? "" })),
  }));
}

/** The day on which each page of markdown was published or last changed, by its path. */
export function lastChanges(): Map<string, string> {
  // Samples are parts of pages, not pages.
  const whole = [...pages].filter(([name]) => !name.startsWith("samples/"));
  return new Map(whole.map(([name, { date }]) => [addressOf(name), date]));
}
