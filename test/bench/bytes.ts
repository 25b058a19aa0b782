import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { publicPaths } from "../support/site/site-routes.ts";

const compressed = (content: Buffer | string) => gzipSync(content, { level: 9 }).length;

/** Compressed bytes of each public page, of the Worker's upload, and of what it loads to start. */
export async function measureBytes(site: string) {
  const pages: Record<string, { html: number; css: number; script: number }> = {};
  for (const path of [...publicPaths(), "/signin"]) {
    const response = await fetch(site + path);
    if (response.status !== 200) throw new Error(`${path} answers ${response.status}`);
    const html = await response.text();
    const files = (pattern: RegExp) => new Set([...html.matchAll(pattern)].map(([, file]) => file));
    const sum = (names: Iterable<string | undefined>) =>
      [...names].reduce(
        (total, name) => total + compressed(readFileSync(`build/client${name}`)),
        0,
      );
    pages[path] = {
      html: compressed(html),
      css: sum(files(/rel="stylesheet" href="(\/assets\/[^"]+\.css)"/g)),
      script: sum(
        files(
          /(?:rel="modulepreload" href=|<script [^>]*src=|import (?:\S+ as \S+ from )?)"(\/assets\/[^"]+\.js)"/g,
        ),
      ),
    };
  }
  const modules = globSync("build/server/**/*.js").sort();
  const upload = compressed(Buffer.concat(modules.map((file) => readFileSync(file))));
  return { pages, worker: { upload, modules: modules.length, ...loadedOnStart() } };
}

/** The modules that the Worker's entry imports, and those import, before anybody asks for anything. */
function loadedOnStart() {
  const entry = "build/server/index.js";
  const loaded = new Set([entry]);
  for (const file of loaded) {
    const source = readFileSync(file, "utf8");
    for (const [, from = ""] of source.matchAll(/(?:\bfrom|\bimport)\s*["'](\.[^"']+)["']/g)) {
      const imported = relative(".", join(dirname(file), from));
      if (existsSync(imported)) loaded.add(imported);
    }
  }
  const bytes = [...loaded].reduce((sum, file) => sum + readFileSync(file).length, 0);
  return { modulesOnStart: loaded.size, bytesOnStart: bytes };
}
