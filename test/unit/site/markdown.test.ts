import { globSync, readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { docsGroups, docsPages } from "../../../app/content/reading.ts";
import { handledEventTypes } from "../../../app/features/billing/subscriptions/webhook-events.ts";
import { compileMarkdown } from "../../../scripts/vite/markdown/compile.ts";

const frontmatter = `---
title: A page
description: What this page is about, in a sentence that is long enough to be useful.
date: 2026-11-20
---
`;
const compile = (text: string) => compileMarkdown(`${frontmatter}\n${text}\n`, "page.md");

const pages = globSync("app/content/*/*.md")
  .sort()
  .map((file) => ({
    file,
    name: file.slice("app/content/".length, -".md".length),
    ...compileMarkdown(readFileSync(file, "utf8"), file),
  }));

/** The folders of pages that are not at an address of the same name. */
const addresses: Record<string, string> = { "docs/overview": "/docs" };
const addressOf = (name: string) => addresses[name] ?? `/${name.replace(/^(legal|company)\//, "")}`;

test("frontmatter is checked and given back", () => {
  expect(compile("Text.").frontmatter).toEqual({
    title: "A page",
    description: "What this page is about, in a sentence that is long enough to be useful.",
    date: "2026-11-20",
  });
  expect(() => compileMarkdown("Text.", "bare.md")).toThrow("bare.md: starts with frontmatter");
  const unknown = frontmatter.replace("date:", "colour: red\ndate:");
  expect(() => compileMarkdown(unknown, "odd.md")).toThrow(/odd\.md: .*colour/s);
  const findable = frontmatter.replace("date:", "keywords: [firewall, 401]\ndate:");
  expect(compileMarkdown(findable, "page.md").frontmatter.keywords).toEqual(["firewall", "401"]);
  const noDay = frontmatter.replace("2026-11-20", "2026-02-30");
  expect(() => compileMarkdown(noDay, "odd.md")).toThrow(/date/);
});

test("a machine that is too busy to be quick compiles the same page", () => {
  const text = "```yaml\nport: 7880 # only behind the proxy\n```";
  const unhurried = compile(text).html;
  let now = 0;
  using _ = vi.spyOn(Date, "now").mockImplementation(() => (now += 1_000));
  expect(compile(text).html).toBe(unhurried);
  expect(unhurried).toContain("tone-quiet");
});

test("a heading can be linked at, and says so itself", () => {
  const { html, headings } = compile("## Ports & `what's` behind\n\n### Deeper\n");
  expect(html).toContain(
    '<h2 id="ports-whats-behind"><a href="#ports-whats-behind">Ports &amp; <code>what&#39;s</code> behind</a></h2>',
  );
  expect(headings).toEqual([
    { id: "ports-whats-behind", text: "Ports & what's behind", level: 2 },
    { id: "deeper", text: "Deeper", level: 3 },
  ]);
});

test("headings that would break the page's outline or its links are refused", () => {
  expect(() => compile("# Title")).toThrow("no heading of level 2 or 3");
  expect(() => compile("#### Small")).toThrow("no heading of level 2 or 3");
  expect(() => compile("## Twice\n\n## Twice")).toThrow('two headings are called "Twice"');
});

test("code is highlighted with classes, labelled and scrollable by keyboard", () => {
  const { html } = compile('```yaml livekit.yaml\nport: 7880 # "<here>"\n```');
  expect(html).toContain("<figcaption>livekit.yaml</figcaption><pre><code>");
  expect(html).toContain('</pre><button type="button" data-copies-code>Copy</button>');
  expect(html).toContain('<span class="tone-name">port:</span>');
  expect(html).toContain('<span class="tone-value">7880</span>');
  expect(html).toContain('<span class="tone-quiet"># &quot;&lt;here&gt;&quot;</span>');
  expect(compile("```bash\nls\n```").html).toContain("<figcaption>Shell</figcaption>");
  expect(() => compile("```cobol\nMOVE\n```")).toThrow('a code block is in "cobol"');
});

test("highlighting changes no character of the code", () => {
  const code = 'if curl -fsS "https://a/?b&c" | grep -q \'<ok>\'; then echo "$X"; fi # done';
  const { html } = compile(`\`\`\`bash\n${code}\n\`\`\``);
  const markup = /<code>([\s\S]*)<\/code>/.exec(html)?.[1] ?? "";
  const text = markup
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
  expect(text).toBe(code);
});

test("a table has a caption and a region that scrolls", () => {
  const { html } = compile("Table: Ports & more\n\n| Port | For |\n| --- | --- |\n| `1` | x |");
  expect(html).toBe(
    '<div class="scroll" role="region" aria-label="Ports &amp; more" tabindex="0"><table><caption>Ports &amp; more</caption><thead><tr><th scope="col">Port</th><th scope="col">For</th></tr></thead><tbody><tr><td><code>1</code></td><td>x</td></tr></tbody></table></div>\n',
  );
  expect(() => compile("Words.\n\n| A |\n| --- |\n| b |")).toThrow('needs a line "Table: …"');
  expect(() => compile("Table: Ports\n\n|  | For |\n| --- | --- |\n| `1` | x |")).toThrow(
    'the table "Table: Ports" has a column without a name',
  );
});

test("links that leave the site say so, and links that lead nowhere are refused", () => {
  expect(compile("[out](https://docs.livekit.io/)").html).toContain(
    '<a href="https://docs.livekit.io/" rel="external noopener">out</a>',
  );
  expect(compile("[in](/pricing)").html).toContain('<a href="/pricing">in</a>');
  expect(() => compile("[lost](pricing)")).toThrow('the link "pricing" is not absolute');
  expect(() => compile("[bad](javascript:alert(1))")).toThrow("is not absolute");
});

test("running text is typeset, code is not", () => {
  const { html } = compile('She said "it\'s at 80 %" (the "`a"b`" one).\n\n```text\n"a"\n```');
  expect(html).toContain("<p>She said “it’s at 80\u00a0%” (the “<code>a&quot;b</code>” one).</p>");
  expect(html).toContain("<code>&quot;a&quot;</code>");
});

test("reading time counts words and code", () => {
  expect(compile("Short.").minutes).toBe(1);
  expect(compile("word ".repeat(1100)).minutes).toBe(5);
});

test.each(pages)("$file keeps to our content security policy", ({ html }) => {
  expect(html).not.toMatch(/\sstyle=/);
  expect(html).not.toMatch(/<(script|style|iframe|form|img)\b/);
  expect(html).not.toMatch(/\son[a-z]+=/);
});

test.each(pages)("the links inside $file lead to headings that exist", ({ name, html }) => {
  const here = addressOf(name);
  const missing = [...html.matchAll(/href="([^"]*)"/g)]
    .map(([, href = ""]) => new URL(href, `https://site.invalid${here}`))
    .filter((url) => url.host === "site.invalid" && url.hash)
    .filter(({ pathname, hash }) => {
      const target = pages.find((page) => addressOf(page.name) === pathname);
      return !target?.headings.some(({ id }) => `#${id}` === hash);
    });
  expect(missing.map(({ href }) => href)).toEqual([]);
});

test("articles are dated in the past of this version and are long enough to be of use", () => {
  for (const { file, html, frontmatter: page } of pages) {
    if (!file.includes("/blog/")) continue;
    const words = html.replaceAll(/<pre[\s\S]*?<\/pre>|<[^>]+>/g, " ").match(/\S+/g)?.length ?? 0;
    expect(words, file).toBeGreaterThan(800);
    expect(words, file).toBeLessThan(1500);
    expect(page.date >= "2026-09-01" && page.date <= "2026-11-20", file).toBe(true);
  }
});

test("the API reference lists exactly the events that the webhook handles", () => {
  const reference = readFileSync("app/content/docs/api.md", "utf8");
  const listed = [...reference.matchAll(/^- `([a-z_.]+)`: (.+)$/gm)].flatMap(
    ([, object, events = ""]) =>
      [...events.matchAll(/`([a-z_]+)`/g)].map(([, event]) => `${object}.${event}`),
  );
  expect(listed.sort()).toEqual([...handledEventTypes].sort());
});

test("every file of the documentation is a page of its navigation, and every page has its file", () => {
  const files = pages.filter(({ name }) => name.startsWith("docs/"));
  expect(files.map(({ name }) => addressOf(name)).sort()).toEqual(
    docsPages.map(({ to }) => to).sort(),
  );
  expect(docsGroups.filter(({ pages }) => pages.length === 0)).toEqual([]);
});
