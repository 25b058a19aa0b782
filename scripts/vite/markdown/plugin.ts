import type { Plugin } from "vite";
import type { ListedPages } from "../../../app/ui/reading/page.ts";
import { type Asset, namedByContent } from "../emitted-assets.ts";
import { compiledPages, type MarkdownPage, markdownFiles, searchSections } from "./published.ts";

const searchIndexId = "virtual:search-index";
/** Where development has the index; a build names it by its content. */
const searchIndexInDevelopment = "/search-index.json";

/**
 * Compiles the markdown of `app/content`. A build puts each text beside the other static assets, and a list that says
 * where. Documentation and blog are also published as they were written, and as an index to search.
 */
export function markdown(): Plugin {
  return {
    name: "markdown",
    buildStart() {
      if (this.environment.name !== "client" || this.environment.mode !== "build") return;
      const { texts, list } = assetsOf(compiledPages());
      for (const { fileName, source } of [...texts, list, ...markdownFiles(), searchIndex()])
        this.emitFile({ type: "asset", fileName, source });
    },
    resolveId: {
      filter: { id: /^virtual:(pages|search-index)$/ },
      handler: (id) => `\0${id}`,
    },
    load: {
      filter: { id: /^\0virtual:(pages|search-index)$/ },
      handler(id) {
        const isDevelopment = this.environment.mode === "dev";
        if (id === `\0${searchIndexId}`)
          return exporting(isDevelopment ? searchIndexInDevelopment : `/${searchIndex().fileName}`);
        if (this.environment.name === "client")
          this.error("Markdown is compiled for the server only: read it in a loader.");
        const pages = compiledPages();
        if (!isDevelopment) return exporting(`/${assetsOf(pages).list.fileName}`);
        for (const { file } of pages) this.addWatchFile(file);
        return exporting(
          Object.fromEntries(pages.map(({ name, summary, text }) => [name, { ...summary, text }])),
        );
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

const exporting = (content: string | ListedPages) => `export default ${JSON.stringify(content)};`;

/** Each text as an asset of its own, and the list of the pages that names them. */
function assetsOf(pages: MarkdownPage[]): { texts: Asset[]; list: Asset } {
  const named = pages.map(({ name, summary, text }) => ({
    ...{ name, summary },
    asset: namedByContent("text", JSON.stringify(text)),
  }));
  const list: ListedPages = Object.fromEntries(
    named.map(({ name, summary, asset }) => [name, { ...summary, asset: `/${asset.fileName}` }]),
  );
  return {
    texts: named.map(({ asset }) => asset),
    list: namedByContent("pages", JSON.stringify(list)),
  };
}

function searchIndex(): Asset {
  return namedByContent("search-index", JSON.stringify(searchSections()));
}
