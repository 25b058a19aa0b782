import { createContext, data, type RouterContextProvider } from "react-router";
import { appContext } from "~/http/app-context";
import { fetchAsset } from "~/http/assets.server";
import type { Frontmatter, Heading, MarkdownModule } from "./page";

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

export type Page = Frontmatter & {
  headings: Heading[];
  minutes: number;
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
  const { frontmatter, headings, minutes } = found;
  const html =
    found.html ?? (await (await fetchAsset(found.asset, context.get(appContext))).text());
  context.set(renderedText, html);
  const isDataRequest = new URL(request.url).pathname.endsWith(".data");
  return { ...frontmatter, headings, minutes, html: isDataRequest ? html : undefined };
}

/** Where a markdown page stands: its address, and the folder of `app/content` that it belongs to. */
export type PlacedPage = Page & { path: string; section: string };

/** The page at an address that one markdown file answers: `/docs/api`. Throws as `loadPage` does. */
export async function loadPageAt(
  path: string,
  args: { request: Request; context: Readonly<RouterContextProvider> },
): Promise<PlacedPage> {
  const name = [...pages.keys()].find((each) => pathOf(each) === path) ?? path;
  const [section = ""] = name.split("/");
  return { ...(await loadPage(name, args)), path, section };
}

export type Article = Frontmatter & { slug: string; minutes: number };

/** What the blog has, newest first, without the texts. */
export function listArticles(): Article[] {
  return [...pages]
    .filter(([name]) => name.startsWith("blog/"))
    .map(([name, { frontmatter, minutes }]) => ({
      ...frontmatter,
      slug: name.slice("blog/".length),
      minutes,
    }))
    .sort((one, other) => other.date.localeCompare(one.date));
}

/** The day on which each page of markdown was published or last changed, by its path. */
export function lastChanges(): Map<string, string> {
  // Samples are parts of pages, not pages.
  const whole = [...pages].filter(([name]) => !name.startsWith("samples/"));
  return new Map(whole.map(([name, { frontmatter }]) => [pathOf(name), frontmatter.date]));
}

function pathOf(name: string): string {
  if (name === "docs/overview") return "/docs";
  return /^(docs|blog)\//.test(name) ? `/${name}` : name.slice(name.indexOf("/"));
}
