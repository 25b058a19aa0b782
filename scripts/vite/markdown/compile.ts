import { Lexer, Marked, type Token, type Tokens } from "marked";
import { parse as parseYaml } from "yaml";
import * as z from "zod";
import { escapeMarkup } from "../../../app/http/encodings.ts";
import {
  type CompiledPage,
  type Frontmatter,
  frontmatterSchema,
  type Heading,
} from "../../../app/ui/reading/page.ts";
import { highlight, isLanguage, languageNames } from "./highlight.ts";

const wordsPerMinute = 220;

/** It works by `app/ui/reading/copy-code.client.ts`. */
const copyButton =
  '<button type="button" data-copies-code>Copy</button><span role="status" class="sr-only"></span>';

type CaptionedTable = Tokens.Table & { caption: string };

/**
 * Compiles one markdown file to HTML without style attributes or scripts. Throws a sentence that
 * names the file when something in it would not work on the page.
 */
export function compileMarkdown(source: string, file: string): CompiledPage {
  const fail = failIn(file);
  const { frontmatter, body } = splitMarkdown(source, file);
  const headings: Heading[] = [];
  const html = renderer(headings, fail).parse(body, { async: false });
  return { frontmatter, html, headings, minutes: readingMinutes(html) };
}

/** The frontmatter of a markdown file, checked, and the text below it. Throws as `compileMarkdown` does. */
export function splitMarkdown(
  source: string,
  file: string,
): { frontmatter: Frontmatter; body: string } {
  const fail = failIn(file);
  const parts = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source);
  if (!parts) return fail("starts with frontmatter between two lines of ---");
  const frontmatter = frontmatterSchema.safeParse(parseYaml(parts[1] ?? ""));
  if (!frontmatter.success) return fail(z.prettifyError(frontmatter.error));
  return { frontmatter: frontmatter.data, body: parts[2] ?? "" };
}

function failIn(file: string): (problem: string) => never {
  return (problem) => {
    throw new Error(`${file}: ${problem}`);
  };
}

function renderer(headings: Heading[], fail: (problem: string) => never): Marked {
  return new Marked({
    walkTokens: typesetToken,
    hooks: {
      /** `Table: words` above a table is its caption; the table takes it over. */
      processAllTokens(tokens) {
        const result: Token[] = [];
        for (const token of tokens) {
          const before = result.findLast(({ type }) => type !== "space");
          if (token.type !== "table") {
            result.push(token);
            continue;
          }
          if (before?.type !== "paragraph" || !before.text.startsWith("Table: ")) {
            return fail(`the table "${token.raw.slice(0, 40)}…" needs a line "Table: …" above it`);
          }
          result.splice(result.indexOf(before));
          if ((token as Tokens.Table).header.some(({ text }) => text.trim() === "")) {
            return fail(`the table "${before.text}" has a column without a name`);
          }
          result.push({ ...token, caption: before.text.slice("Table: ".length) });
        }
        return result;
      },
    },
    renderer: {
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens, this.parser.textRenderer);
        if (depth !== 2 && depth !== 3) return fail(`"${text}" is no heading of level 2 or 3`);
        const id = slug(text);
        if (headings.some((other) => other.id === id)) fail(`two headings are called "${text}"`);
        headings.push({ id, text: unescapeHtml(text), level: depth });
        const label = this.parser.parseInline(tokens);
        return `<h${depth} id="${id}"><a href="#${id}">${label}</a></h${depth}>\n`;
      },
      code({ text, lang = "" }) {
        const [language = "", ...name] = lang.split(" ");
        if (!isLanguage(language)) {
          return fail(`a code block is in "${language}"; known are ${Object.keys(languageNames)}`);
        }
        const label = name.length > 0 ? name.join(" ") : languageNames[language];
        return `<figure><figcaption>${escapeMarkup(label)}</figcaption><pre><code>${highlight(text, language)}</code></pre>${copyButton}</figure>\n`;
      },
      table(table) {
        const { caption } = table as CaptionedTable;
        const words = Lexer.lexInline(caption);
        words.forEach(typesetToken);
        const name = escapeMarkup(caption.replaceAll("`", ""));
        const head = `<tr>${table.header.map((cell) => this.tablecell(cell)).join("")}</tr>`;
        const body = table.rows.map(
          (row) => `<tr>${row.map((cell) => this.tablecell(cell)).join("")}</tr>`,
        );
        return `<div class="scroll" role="region" aria-label="${name}" tabindex="0"><table><caption>${this.parser.parseInline(words)}</caption><thead>${head}</thead><tbody>${body.join("")}</tbody></table></div>\n`;
      },
      tablecell({ header, tokens }) {
        const content = this.parser.parseInline(tokens);
        return header ? `<th scope="col">${content}</th>` : `<td>${content}</td>`;
      },
      /** We quote nobody: a block quote in the source is a note. */
      blockquote({ tokens }) {
        return `<div class="note" role="note">${this.parser.parse(tokens)}</div>\n`;
      },
      link({ href, tokens }) {
        if (!/^(https:\/\/|\/|#|mailto:)/.test(href)) fail(`the link "${href}" is not absolute`);
        const rel = href.startsWith("https://") ? ' rel="external noopener"' : "";
        return `<a href="${escapeMarkup(href)}"${rel}>${this.parser.parseInline(tokens)}</a>`;
      },
      image: ({ href }) => fail(`images are not supported (${href})`),
    },
  });
}

function typesetToken(token: Token): void {
  if (token.type === "text" && !("tokens" in token)) token.text = typeset(token.text);
}

/** A heading's address: its words in lower case, with hyphens between them. */
function slug(text: string): string {
  return unescapeHtml(text)
    .toLowerCase()
    .replaceAll(/['’“”]/g, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}

export function unescapeHtml(text: string): string {
  return text
    .replaceAll("&#39;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

/** Code is looked at rather than read: twenty lines of it cost a minute. */
function readingMinutes(html: string): number {
  const code = html.match(/<pre[\s\S]*?<\/pre>/g)?.join("\n") ?? "";
  const prose = html.replaceAll(/<pre[\s\S]*?<\/figure>|<[^>]+>/g, " ");
  const words = prose.match(/\S+/g)?.length ?? 0;
  return Math.max(1, Math.round(words / wordsPerMinute + code.split("\n").length / 20));
}

/** Running text as a typesetter would have it: curly quotes, and no line break inside `80 %`. */
function typeset(text: string): string {
  return text
    .replaceAll(/(?<=[\s([])"(?!\s)|^"(?=\w)/g, "“")
    .replaceAll('"', "”")
    .replaceAll("'", "’")
    .replaceAll(/(\d) (?=%|[KkMG]i?B\b)/g, "$1\u00a0");
}
