import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import type { Plugin } from "vite";
import type { MarkdownModule, PageText } from "../../../app/ui/reading/page.ts";
import { compileMarkdown } from "./compile.ts";

/** The files that the client's build has written. Those that the server's build names must be among them. */
const emitted = new Set<string>();

/**
 * Turns `*.md` imports into compiled pages. A build puts each text beside the other static assets,
 * and the import, on the server, says where.
 */
export function markdown(): Plugin {
  return {
    name: "markdown",
    buildStart() {
      if (this.environment.name !== "client" || this.environment.mode !== "build") return;
      for (const file of globSync("app/content/**/*.md")) {
        const { fileName, source } = assetOf(compileMarkdown(readFileSync(file, "utf8"), file));
        this.emitFile({ type: "asset", fileName, source });
        emitted.add(fileName);
      }
    },
    transform: {
      filter: { id: /\.md$/ },
      handler(source, id) {
        if (this.environment.name === "client") {
          this.error("Markdown is compiled for the server only: read it in a loader.");
        }
        const { html, headings, minutes, frontmatter } = compileMarkdown(source, relative("", id));
        const { title, description, date } = frontmatter;
        const text = { html, headings };
        const { fileName } = assetOf(text);
        const isDevelopment = this.environment.mode === "dev";
        if (!isDevelopment && !emitted.has(fileName)) {
          this.error("The client's build did not put this text among its assets.");
        }
        const module: MarkdownModule = {
          title,
          description,
          date,
          minutes,
          asset: `/${fileName}`,
          ...(isDevelopment ? { text } : {}),
        };
        return { code: `export default ${JSON.stringify(module)};`, map: null };
      },
    },
  };
}

/** Named by its content, so that it may be cached for ever. */
function assetOf({ html, headings }: PageText): { fileName: string; source: string } {
  const source = JSON.stringify({ html, headings } satisfies PageText);
  const hash = createHash("sha256").update(source).digest("hex").slice(0, 12);
  return { fileName: `assets/text-${hash}.json`, source };
}
