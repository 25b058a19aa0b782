import { globSync, readFileSync } from "node:fs";
import answers from "../../../app/content/faq.json" with { type: "json" };
import { addressOf } from "../../../app/content/reading.ts";
import { sitePages } from "../../../app/content/site-pages.ts";
import type { CompiledPage, PageSummary, PageText } from "../../../app/ui/reading/page.ts";
import type { Section } from "../../../app/ui/reading/search/search-sections.ts";
import type { Asset } from "../emitted-assets.ts";
import { compileMarkdown, splitMarkdown, unescapeHtml } from "./compile.ts";

/** A markdown file by its folder and name: `docs/api`. */
export type MarkdownPage = { file: string; name: string; summary: PageSummary; text: PageText };

/** Every markdown file of `app/content`, compiled. */
export function compiledPages(): MarkdownPage[] {
  return globSync("app/content/*/*.md")
    .sort()
    .map((file) => {
      const { frontmatter, minutes, html, headings } = compileMarkdown(
        readFileSync(file, "utf8"),
        file,
      );
      const { title, description, date } = frontmatter;
      return {
        file,
        name: nameOf(file),
        summary: { title, description, date, minutes },
        text: { html, headings },
      };
    });
}

const nameOf = (file: string) => file.slice("app/content/".length, -".md".length);

/** Documentation and blog as they were written, each at the address of its page with `.md` behind it. */
export function markdownFiles(): Asset[] {
  return publishedFiles().map(({ file, path, text }) => {
    const { frontmatter, body } = splitMarkdown(text, file);
    const { title, description } = frontmatter;
    return {
      fileName: `${path.slice(1)}.md`,
      source: `# ${title}\n\n> ${description}\n\n${body.trim()}\n`,
    };
  });
}

/** What search looks through: every page for visitors; those of markdown and the answers of the FAQ section by section. */
export function searchSections(): Section[] {
  return [
    ...filesIn("docs,blog,company,legal").flatMap(({ file, path, text }) =>
      sectionsOf(compileMarkdown(text, file), path),
    ),
    ...sitePages.map(({ to, title, about, keywords }) => ({
      to,
      page: title,
      text: about,
      keywords,
    })),
    ...answers.map(({ id, question, answer, points = [] }) => ({
      to: `/faq#${id}`,
      page: "Frequently asked questions",
      heading: question,
      text: [answer, ...points].join(" "),
    })),
  ];
}

const publishedFiles = () => filesIn("docs,blog");

function filesIn(folders: string) {
  return globSync(`app/content/{${folders}}/*.md`)
    .sort()
    .map((file) => ({
      file,
      path: addressOf(nameOf(file)),
      text: readFileSync(file, "utf8"),
    }));
}

/** A section for each heading of a page, and one for what stands before them. */
function sectionsOf({ frontmatter, html, headings }: CompiledPage, path: string): Section[] {
  const [intro = "", ...parts] = html.split(/<h[23] id="[^"]*">.*?<\/h[23]>/s);
  const { title, description, keywords = [] } = frontmatter;
  return [
    {
      to: path,
      page: title,
      text: `${description} ${textOf(intro)}`.trim(),
      ...(keywords.length > 0 ? { keywords: keywords.join(" ") } : {}),
    },
    ...headings
      .map(({ id, text }, place) => ({
        to: `${path}#${id}`,
        page: title,
        heading: text,
        text: textOf(parts[place] ?? ""),
      }))
      // A heading with nothing but smaller headings below it answers nothing.
      .filter(({ text }) => text !== ""),
  ];
}

/** What a reader sees of HTML, in one line. */
function textOf(html: string): string {
  const text = html
    .replaceAll(/<button\b.*?<\/button>/gs, " ")
    // Words that stand apart on the page stay apart.
    .replaceAll(/<\/?(?:p|li|ul|ol|t[dhr]|pre|div|figcaption|caption)\b[^>]*>/g, " ")
    .replaceAll(/<[^>]+>/g, "");
  return unescapeHtml(text).replaceAll(/\s+/g, " ").trim();
}
