import { expect, test } from "vitest";
import { sample } from "../../support/run/variants.ts";
import { siteUrl } from "../../support/site/own-site.ts";
import { publicPaths } from "../../support/site/site-routes.ts";

/** The pages that are also sent as they were written. */
const written = publicPaths().filter((path) => /^\/(docs$|docs\/|blog\/)/.test(path));

test.each(sample(written, 4))(
  "%s names its Markdown, which is the page's text alone",
  async (path) => {
    const page = await (await fetch(siteUrl + path)).text();
    const [, address] =
      /<link rel="alternate" type="text\/markdown" href="([^"]*)"/.exec(page) ?? [];
    expect(address).toBe(`${path}.md`);
    const file = await fetch(siteUrl + address);
    expect([file.status, file.headers.get("content-type")]).toEqual([
      200,
      "text/markdown; charset=utf-8",
    ]);
    // The page itself is what search engines should find.
    expect(file.headers.get("x-robots-tag")).toBe("noindex");
    const text = await file.text();
    const [, title = ""] = /<h1[^>]*>([^<]*)</.exec(page) ?? [];
    expect(text.split("\n")[0]).toBe(
      `# ${title.replaceAll("&#x27;", "'").replaceAll("&amp;", "&")}`,
    );
    expect(text).not.toMatch(/^(date|keywords): /m);
    expect(text).toContain("\n## ");
  },
);

test("llms.txt says what the site is, and lists the Markdown of every page with what it is about", async () => {
  const response = await fetch(`${siteUrl}/llms.txt`);
  expect([response.status, response.headers.get("content-type")]).toEqual([
    200,
    "text/plain; charset=utf-8",
  ]);
  const text = await response.text();
  expect(text).toMatch(/^# LiveKit Deploy\n\n> .{60,}\n/);
  const listed = [...text.matchAll(/^- \[[^\]]+\]\((\S+)\): .{20,}$/gm)].map(
    ([, address = ""]) => address,
  );
  expect(listed).toEqual(expect.arrayContaining(written.map((path) => `${siteUrl}${path}.md`)));
  for (const address of listed) {
    const file = await fetch(address);
    await file.body?.cancel();
    expect([address, file.status]).toEqual([address, 200]);
  }
  expect(text.match(/^## .+$/gm)).toEqual(expect.arrayContaining(["## Start", "## Blog"]));
});
