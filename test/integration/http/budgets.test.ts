import { globSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { chunksWith, generatorWords } from "../../support/deployments/bundle-chunks.ts";
import { siteUrl } from "../../support/site/own-site.ts";
import { publicPaths } from "../../support/site/site-routes.ts";

/** Compressed size of a file of the client build, counted once however often it is asked for. */
function gzipSize(path: string): number {
  return gzipSync(readFileSync(`build/client${path}`), { level: 9 }).length;
}

function referenced(html: string, pattern: RegExp): string[] {
  return [...new Set([...html.matchAll(pattern)].map(([, path]) => path ?? ""))];
}

const generator = chunksWith(generatorWords());

test.each([...publicPaths(), "/signin"])(
  "%s keeps to its budget of script and style",
  async (path) => {
    const response = await fetch(siteUrl + path);
    expect(response.status).toBe(200);
    const html = await response.text();
    // What the browser loads: the preloads and the imports of the page's own module script. The other
    // chunks are only named, for the pages that somebody may go to next.
    const scripts = referenced(
      html,
      /(?:rel="modulepreload" href=|import (?:\S+ as \S+ from )?)"(\/assets\/[^"]+\.js)"/g,
    );
    const styles = referenced(html, /rel="stylesheet" href="(\/assets\/[^"]+\.css)"/g);
    const sum = (files: string[]) => files.reduce((total, file) => total + gzipSize(file), 0);
    expect(scripts.length).toBeGreaterThan(1);
    expect(styles.length).toBeGreaterThan(0);
    expect(sum(scripts)).toBeLessThanOrEqual(120_000);
    expect(sum(styles)).toBeLessThanOrEqual(12_000);
    expect(scripts.filter((script) => generator.includes(script))).toEqual([]);
  },
);

test("a page asks for its style before its scripts, which can wait", async () => {
  const html = await (await fetch(`${siteUrl}/docs/api`)).text();
  const preloads = html.match(/<link rel="modulepreload"[^>]*>/g) ?? [];
  expect(preloads.length).toBeGreaterThan(1);
  expect(preloads.filter((link) => !link.includes(' fetchpriority="low"'))).toEqual([]);
  expect(html.indexOf(preloads[0] ?? "")).toBeGreaterThan(html.lastIndexOf('rel="stylesheet"'));
});

test("the fonts are at most 70 kB together", async () => {
  const html = await (await fetch(siteUrl)).text();
  const [style = ""] = referenced(html, /rel="stylesheet" href="(\/assets\/[^"]+\.css)"/g);
  const css = readFileSync(`build/client${style}`, "utf8");
  const fonts = referenced(css, /(\/assets\/[^"')]+\.woff2)/g);
  expect(fonts.length).toBe(2);
  const bytes = fonts.reduce((sum, font) => sum + readFileSync(`build/client${font}`).length, 0);
  expect(bytes).toBeLessThanOrEqual(70_000);
});

test("the Worker's upload, all its modules together, is at most 420 KiB compressed", () => {
  const modules = globSync("build/server/**/*.js").map((file) => readFileSync(file));
  expect(modules.length).toBeGreaterThan(5);
  expect(gzipSync(Buffer.concat(modules)).length).toBeLessThanOrEqual(420 * 1024);
});
