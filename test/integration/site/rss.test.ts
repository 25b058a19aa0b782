import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { testInProof } from "../../support/run/variants.ts";
import { siteUrl } from "../../support/site/own-site.ts";

const feedUrl = `${siteUrl}/blog/rss.xml`;

type Element = { name: string; attributes: string; text: string; children: Element[] };

/** Reads XML strictly enough to refuse what a feed reader would: unclosed tags, bare `&` and `<`. */
function parseXml(xml: string): Element {
  const root: Element = { name: "", attributes: "", text: "", children: [] };
  const open = [root];
  const body = xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\s*/, "");
  let read = 0;
  for (const match of body.matchAll(/<(\/?)([\w:]+)((?:\s[\w:]+="[^"<]*")*)\s*(\/?)>|([^<]+)/g)) {
    if (match.index !== read) throw new Error(`Not XML: ${body.slice(read, read + 40)}`);
    read += match[0].length;
    const [, closes, name = "", attributes = "", empty, text] = match;
    const here = open.at(-1);
    if (!here) throw new Error("Text after the end");
    if (/&(?!(amp|lt|gt|quot|apos);)/.test(match[0])) throw new Error(`A bare & in ${match[0]}`);
    if (text !== undefined) here.text += text;
    else if (closes) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes another element`);
    } else {
      const element = { name, attributes, text: "", children: [] };
      here.children.push(element);
      if (!empty) open.push(element);
    }
  }
  if (read !== body.length || open.length !== 1) throw new Error("The end is missing");
  const [only, ...others] = root.children;
  if (!only || others.length > 0) throw new Error("XML has one root element");
  return only;
}

const all = (element: Element | undefined, name: string) =>
  element?.children.filter((child) => child.name === name) ?? [];
const textOf = (element: Element, name: string) => all(element, name)[0]?.text.trim() ?? "";

test("the feed is RSS 2.0 with a link to itself", async () => {
  const response = await fetch(feedUrl);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/rss+xml; charset=utf-8");
  const rss = parseXml(await response.text());
  expect(rss.name).toBe("rss");
  expect(rss.attributes).toContain('version="2.0"');
  const [channel, ...others] = all(rss, "channel");
  expect(others).toEqual([]);
  if (!channel) throw new Error("There is no channel");
  expect(textOf(channel, "title")).toBe("LiveKit Deploy Blog");
  expect(textOf(channel, "link")).toBe(`${siteUrl}/blog`);
  expect(textOf(channel, "description")).not.toBe("");
  expect(all(channel, "atom:link")[0]?.attributes).toBe(
    ` href="${feedUrl}" rel="self" type="application/rss+xml"`,
  );
});

test("every article is in the feed once, newest first, at an absolute address that answers", async () => {
  const channel = all(parseXml(await (await fetch(feedUrl)).text()), "channel")[0];
  const items = all(channel, "item");
  expect(items.map((item) => textOf(item, "link")).sort()).toEqual(
    globSync("app/content/blog/*.md")
      .map((file) => `${siteUrl}/blog/${file.slice("app/content/blog/".length, -".md".length)}`)
      .sort(),
  );
  const days = items.map((item) => Date.parse(textOf(item, "pubDate")));
  expect(days).toEqual([...days].sort((one, other) => other - one));
  for (const item of items) {
    expect(textOf(item, "guid")).toBe(textOf(item, "link"));
    expect(textOf(item, "pubDate")).toMatch(/^\w{3}, \d{2} \w{3} \d{4} 00:00:00 GMT$/);
    const page = await fetch(textOf(item, "link"));
    expect(page.status).toBe(200);
    expect(await page.text()).toContain(`>${textOf(item, "title")}</h1>`);
  }
});

testInProof.each(["/blog/no-such-article", "/docs/no-such-page"])(
  "a page that does not exist is a 404 that nobody stores: %s",
  async (path) => {
    const page = await fetch(`${siteUrl}${path}`);
    expect(page.status).toBe(404);
    expect(await page.text()).toContain("Unexpected Application Error!");
    const answer = await fetch(`${siteUrl}${path}.data`);
    expect(answer.status).toBe(404);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  },
);

testInProof("a document carries its text once, and a data request carries it too", async () => {
  const sentence = "Most calls that fail on a new LiveKit server fail in a firewall.";
  const document = await (await fetch(`${siteUrl}/blog/ports-and-firewalls`)).text();
  expect(document.split(sentence)).toHaveLength(2);
  const answer = await (await fetch(`${siteUrl}/blog/ports-and-firewalls.data`)).text();
  expect(answer.split(sentence)).toHaveLength(2);
});
