import listed from "virtual:pages";
import { createContext, data, type RouterContextProvider } from "react-router";
import { addressOf, docsGroups } from "~/content/reading";
import { appContext } from "~/http/app-context";
import { fetchAsset, pageTexts } from "~/http/assets.server";
import type { Heading, ListedPages, PageSummary, PageText } from "./page";

type Context = Readonly<RouterContextProvider>;

const readList =
  typeof listed === "string" ? pageTexts<ListedPages>(listed, "This page") : async () => listed;

/** Every markdown page by its folder and name. Throws an answer with status 503 when the list cannot be read. */
async function allPages(context: Context) {
  return new Map(Object.entries(await readList(context.get(appContext))));
}

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
  { request, context }: { request: Request; context: Context },
): Promise<Page> {
  const found = (await allPages(context)).get(name);
  if (!found) throw data(null, { status: 404 });
  const { html, headings } = "text" in found ? found.text : await fetchText(found.asset, context);
  context.set(renderedText, html);
  const isDataRequest = new URL(request.url).pathname.endsWith(".data");
  return { ...summaryOf(found), headings, html: isDataRequest ? html : undefined };
}

/** Where a markdown page stands: its address, and the folder of `app/content` that it belongs to. */
export type PlacedPage = Page & { path: string; section: string };

/** The page at an address that one markdown file answers: `/docs/api`. Throws as `loadPage` does. */
export async function loadPageAt(
  path: string,
  args: { request: Request; context: Context },
): Promise<PlacedPage> {
  const pages = await allPages(args.context);
  const name = [...pages.keys()].find((each) => addressOf(each) === path) ?? path;
  const [section = ""] = name.split("/");
  return { ...(await loadPage(name, args)), path, section };
}

function summaryOf({ title, description, date, minutes }: PageSummary): PageSummary {
  return { title, description, date, minutes };
}

async function fetchText(asset: string, context: Context) {
  const response = await fetchAsset(asset, context.get(appContext));
  return response.json<PageText>();
}

export type Article = PageSummary & { slug: string };

export type DocsGroup = {
  title: string;
  pages: { to: string; label: string; description: string }[];
};

/** What the blog has, newest first, without the texts. */
export async function listArticles(context: Context): Promise<Article[]> {
  return [...(await allPages(context))]
    .filter(([name]) => name.startsWith("blog/"))
    .map(([name, page]) => ({ ...summaryOf(page), slug: name.slice("blog/".length) }))
    .sort((one, other) => other.date.localeCompare(one.date));
}

/** The documentation's groups of pages, each page with its description. */
export async function listDocs(context: Context): Promise<DocsGroup[]> {
  const descriptions = new Map(
    [...(await allPages(context))].map(([name, page]) => [addressOf(name), page.description]),
  );
  return docsGroups.map(({ title, pages }) => ({
    title,
    pages: pages.map((page) => ({ ...page, description: descriptions.get(page.to) ?? "" })),
  }));
}

/** The day on which each page of markdown was published or last changed, by its path. */
export async function lastChanges(context: Context): Promise<Map<string, string>> {
  // Samples are parts of pages, not pages.
  const whole = [...(await allPages(context))].filter(([name]) => !name.startsWith("samples/"));
  return new Map(whole.map(([name, { date }]) => [addressOf(name), date]));
}
