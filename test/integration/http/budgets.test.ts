import { globSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { scriptTexts } from "../../support/deployments/bundle.ts";
import { chunksWith, generatorWords } from "../../support/deployments/bundle-chunks.ts";
import { sample } from "../../support/run/variants.ts";
import { siteUrl } from "../../support/site/own-site.ts";
import { publicPaths } from "../../support/site/site-routes.ts";

/** Compressed size of a file of the client build, counted once however often it is asked for. */
function gzipSize(path: string): number {
  return gzipSync(readFileSync(`build/client${path}`), { level: 9 }).length;
}

function referenced(html: string, pattern: RegExp): string[] {
  return [...new Set([...html.matchAll(pattern)].map(([, path]) => path ?? ""))];
}

/** The module files that a page loads: those it preloads, names in a tag, or imports in an inline script. */
const scriptFiles =
  /(?:rel="modulepreload" href=|<script [^>]*src=|import (?:\S+ as \S+ from )?)"(\/assets\/[^"]+\.js)"/g;

const styleFiles = /rel="stylesheet" href="(\/assets\/[^"]+\.css)"/g;

/** The pages that only read, which need no React. Not taken from their routes: one that loses its `handle` fails here. */
const isReading = (path: string) =>
  /^\/$|^\/(docs|blog)(\/|$)|^\/(audit|cloud-architecture|faq|proof|try|support|about|careers|privacy|terms|cookies|license|signup)$/.test(
    path,
  );

const generator = chunksWith(generatorWords());

test.each(sample(publicPaths().filter(isReading), 5))(
  "%s only reads, and is sent at most 3,072 bytes of script",
  async (path) => {
    const html = await (await fetch(siteUrl + path)).text();
    const files = referenced(html, scriptFiles);
    expect(files).toEqual([expect.stringMatching(/^\/assets\/page-script-[\w-]{8}\.js$/)]);
    // What is for search engines is data about the page, and no script.
    const inline = [...html.matchAll(/<script(?![^>]* src=)([^>]*)>(.*?)<\/script>/gs)]
      .filter(([, attributes = ""]) => !attributes.includes("application/ld+json"))
      .map(([, , text = ""]) => text);
    expect(inline).toHaveLength(2);
    const sizes = [
      ...files.map(gzipSize),
      ...inline.map((text) => gzipSync(text, { level: 9 }).length),
    ];
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(3_072);
    expect(html).not.toMatch(/modulepreload|__reactRouter/);
    const styles = referenced(html, styleFiles).map(gzipSize);
    expect(styles.length).toBeGreaterThan(0);
    expect(styles.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(12_000);
  },
);

test.each(
  sample(
    [...publicPaths(), "/signin"].filter((path) => !isReading(path)),
    3,
  ),
)("%s keeps to its budget of script and style", async (path) => {
  const response = await fetch(siteUrl + path);
  expect(response.status).toBe(200);
  const html = await response.text();
  // What the browser loads: the preloads and the imports of the page's own module script. The other
  // chunks are only named, for the pages that somebody may go to next.
  const scripts = referenced(html, scriptFiles);
  const styles = referenced(html, styleFiles);
  const sum = (files: string[]) => files.reduce((total, file) => total + gzipSize(file), 0);
  expect(scripts.length).toBeGreaterThan(1);
  expect(styles.length).toBeGreaterThan(0);
  // 107 kB of it are React's and React Router's own (docs/decisions/0001).
  expect(sum(scripts)).toBeLessThanOrEqual(123_000);
  expect(sum(styles)).toBeLessThanOrEqual(12_000);
  expect(scripts.filter((script) => generator.includes(script))).toEqual([]);
});

test("a page asks for its style before its scripts, which can wait", async () => {
  const html = await (await fetch(`${siteUrl}/pricing`)).text();
  const preloads = html.match(/<link rel="modulepreload"[^>]*>/g) ?? [];
  expect(preloads.length).toBeGreaterThan(1);
  expect(preloads.filter((link) => !link.includes(' fetchpriority="low"'))).toEqual([]);
  expect(html.indexOf(preloads[0] ?? "")).toBeGreaterThan(html.lastIndexOf('rel="stylesheet"'));
});

test("the fonts are at most 70 kB together", async () => {
  const html = await (await fetch(siteUrl)).text();
  const [style = ""] = referenced(html, styleFiles);
  const css = readFileSync(`build/client${style}`, "utf8");
  const fonts = referenced(css, /(\/assets\/[^"')]+\.woff2)/g);
  expect(fonts.length).toBe(2);
  const bytes = fonts.reduce((sum, font) => sum + readFileSync(`build/client${font}`).length, 0);
  expect(bytes).toBeLessThanOrEqual(70_000);
});

test("the Worker's upload, all its modules together, is at most 560 KiB compressed", () => {
  const modules = globSync("build/server/**/*.js")
    .sort()
    .map((file) => readFileSync(file));
  expect(modules.length).toBeGreaterThan(5);
  expect(gzipSync(Buffer.concat(modules)).length).toBeLessThanOrEqual(560 * 1024);
});

test("the upload has neither the texts nor the descriptions of documentation, blog and legal pages", () => {
  const site = globSync("build/server/**/*.js").map((file) => readFileSync(file, "utf8"));
  const descriptions = globSync("app/content/*/*.md").map((file) => {
    const [, description = ""] = /^description: (.+)$/m.exec(readFileSync(file, "utf8")) ?? [];
    return description;
  });
  expect(descriptions.filter((each) => each.length < 50)).toEqual([]);
  expect(descriptions.filter((each) => site.some((text) => text.includes(each)))).toEqual([]);
});

test("no script of a bundle is in the site's upload; all of them are in that of the servers Worker", () => {
  const [site = "", servers = ""] = ["server", "servers"].map((folder) =>
    globSync(`build/${folder}/**/*.js`)
      .map((file) => readFileSync(file, "utf8"))
      .join("\n"),
  );
  // A line without what a string in JavaScript escapes.
  const plainLines = Object.entries(scriptTexts).map(([name, text]) => {
    const lines = text.split("\n").filter((line) => /^[^"'`\\$]+$/.test(line));
    return { name, line: lines.toSorted((one, other) => other.length - one.length)[0] ?? text };
  });
  expect(plainLines.filter(({ line }) => line.length < 20)).toEqual([]);
  expect(plainLines.filter(({ line }) => site.includes(line))).toEqual([]);
  expect(plainLines.filter(({ line }) => !servers.includes(line))).toEqual([]);
});
