import { globSync, readFileSync } from "node:fs";

/** A code block of a page that visitors read. */
export type CodeBlock = {
  /** The page's file below app/content, without its ending: `docs/recording`. */
  page: string;
  /** The file and the line on which the block begins. */
  place: string;
  language: string;
  /** What the page shows above the block; empty where that is the language's name. */
  label: string;
  text: string;
  /** What is read before it: its article, or its section of the documentation. */
  session: string;
};

/** The pages that visitors read, by their files below app/content. */
export const documentedPages = globSync("app/content/{docs,blog,legal,company}/*.md")
  .map((file) => file.slice("app/content/".length, -".md".length))
  .sort();

const sourceOf = (page: string) => readFileSync(`app/content/${page}.md`, "utf8");

/** Every code block of a page. */
export function codeBlocks(page: string): CodeBlock[] {
  const source = sourceOf(page);
  return [...source.matchAll(/^```(\S*)(.*)\n([\s\S]*?)^```$/gm)].map(
    ({ 1: language = "", 2: label = "", 3: text = "", index }) => ({
      page,
      session: page.startsWith("blog/")
        ? page
        : `${page}${source.slice(0, index).split("\n## ").length}`,
      place: `app/content/${page}.md:${source.slice(0, index).split("\n").length}`,
      language,
      label: label.trim(),
      text,
    }),
  );
}

/** Whole commands within sentences and tables: those that begin with a program's name and have no placeholder. */
export function inlineCommands(page: string): string[] {
  const prose = sourceOf(page).replaceAll(/^```[\s\S]*?^```$/gm, "");
  return [...prose.matchAll(/`((?:sudo|docker|curl|lk|journalctl) [^`]+)`/g)]
    .map(([, command = ""]) => command)
    .filter((command) => !/[A-Z]{3}|…/.test(command));
}
