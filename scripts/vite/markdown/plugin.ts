import { globSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import type { Plugin } from "vite";
import type { MarkdownModule, PageText } from "../../../app/ui/reading/page.ts";
import { type Asset, namedByContent } from "../emitted-assets.ts";
import { compileMarkdown } from "./compile.ts";
import { markdownFiles, searchSections } from "./published.ts";

const searchIndexId = "virtual:search-index";
/** Where development has the index; a build names it by its content. */
const searchIndexInDevelopment = "/search-index.json";

/** The files that the client's build has written. Those that the server's build names must be among them. */
const emitted = new Set<string>();

/**
 * Turns `*.md` imports into compiled pages. A build puts each text beside the other static assets, and the import, on
 * the server, says where. Documentation and blog are also published as they were written, and as an index to search.
 */
export function markdown(): Plugin {
  return {
    name: "markdown",
    buildStart() {
      if (this.environment.name !== "client" || this.environment.mode !== "build") return;
      const texts = globSync("app/content/**/*.md").map((file) =>
        textAsset(compileMarkdown(readFileSync(file, "utf8"), file)),
      );
      for (const { fileName, source } of [...texts, ...markdownFiles(), searchIndex()]) {
        this.emitFile({ type: "asset", fileName, source });
        emitted.add(fileName);
      }
    },
    resolveId: {
      filter: { id: /^virtual:search-index$/ },
      handler: () => `\0${searchIndexId}`,
    },
    load: {
      filter: { id: /^\0virtual:search-index$/ },
      handler() {
        const inBuild = `/${searchIndex().fileName}`;
        const address = this.environment.mode === "dev" ? searchIndexInDevelopment : inBuild;
        return `export default ${JSON.stringify(address)};`;
      },
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
        const { fileName } = textAsset(text);
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
    /** Development answers with what a build would have written. */
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const path = request.url?.split("?")[0] ?? "";
        if (path === searchIndexInDevelopment) {
          response.setHeader("content-type", "application/json");
          return response.end(searchIndex().source);
        }
        const file =
          path.endsWith(".md") && markdownFiles().find((each) => `/${each.fileName}` === path);
        if (!file) return next();
        response.setHeader("content-type", "text/markdown; charset=utf-8");
        response.end(file.source);
      });
    },
  };
}

function textAsset({ html, headings }: PageText): Asset {
  return namedByContent("text", JSON.stringify({ html, headings } satisfies PageText));
}

function searchIndex(): Asset {
  return namedByContent("search-index", JSON.stringify(searchSections()));
}
