import { beforeAll, expect, test } from "vitest";
import { plans } from "../../../app/content/plans.ts";
import { pngSize } from "../../support/browser/png.ts";
import { siteUrl } from "../../support/site/own-site.ts";
import { publicPaths } from "../../support/site/site-routes.ts";

type Thing = Record<string, unknown> & { "@type": string };

type Head = {
  path: string;
  title: string;
  description: string;
  canonical: string;
  properties: Map<string, string>;
  structured: Thing[];
};

const heads = new Map<string, Head>();

beforeAll(async () => {
  for (const path of publicPaths()) heads.set(path, await readHead(path));
});

async function readHead(path: string): Promise<Head> {
  const page = await (await fetch(siteUrl + path)).text();
  const head = page.slice(0, page.indexOf("</head>"));
  const metas = [...head.matchAll(/<meta (?:name|property)="([^"]*)" content="([^"]*)"/g)];
  const scripts = head.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g);
  return {
    path,
    title: text(/<title>([^<]*)<\/title>/.exec(head)?.[1]),
    description: text(/<meta name="description" content="([^"]*)"/.exec(head)?.[1]),
    canonical: text(/<link rel="canonical" href="([^"]*)"/.exec(head)?.[1]),
    properties: new Map(metas.map(([, name = "", content]) => [name, text(content)])),
    structured: [...scripts].map(([, json = ""]) => JSON.parse(json)),
  };
}

function text(html = ""): string {
  return html.replaceAll("&#x27;", "'").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}

function thing(path: string, type: string): Thing {
  const found = heads.get(path)?.structured.find((each) => each["@type"] === type);
  if (!found) throw new Error(`${path} has no ${type}.`);
  return found;
}

test("every public page has a title and a description of its own, of a length that fits", () => {
  const all = [...heads.values()];
  for (const { path, title, description } of all) {
    expect(title.length, `${path}: ${title}`).toBeGreaterThan(5);
    expect(title, path).toContain("LiveKit Deploy");
    expect(description.length, `${path}: ${description}`).toBeGreaterThan(40);
    expect(description.length, `${path}: ${description}`).toBeLessThan(180);
  }
  expect(new Set(all.map(({ title }) => title)).size).toBe(all.length);
  expect(new Set(all.map(({ description }) => description)).size).toBe(all.length);
});

test("every public page names its one address, whatever the query", async () => {
  for (const { path, canonical, properties } of heads.values()) {
    expect(canonical).toBe(siteUrl + path);
    expect(properties.get("og:url")).toBe(canonical);
  }
  expect((await readHead("/pricing?utm_source=x")).canonical).toBe(`${siteUrl}/pricing`);
  expect((await readHead("/contact?topic=sales")).canonical).toBe(`${siteUrl}/contact`);
});

test("every public page has a picture of its own for shared links (npm run pictures)", async () => {
  const pictures = new Set<string>();
  for (const { path, title, description, properties } of heads.values()) {
    const address = properties.get("og:image") ?? "";
    pictures.add(address);
    const picture = await fetch(address);
    expect([path, picture.status, picture.headers.get("content-type")]).toEqual([
      path,
      200,
      "image/png",
    ]);
    expect(picture.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    const bytes = await picture.bytes();
    expect(pngSize(bytes), path).toEqual([1200, 630]);
    expect(bytes.length, path).toBeLessThan(30_000);
    expect(properties.get("og:image:width")).toBe("1200");
    expect(properties.get("og:image:height")).toBe("630");
    expect(properties.get("og:image:alt"), path).toContain(properties.get("og:title"));
    expect(title, path).toContain(properties.get("og:title"));
    expect(properties.get("og:description")).toBe(description);
    expect(properties.get("twitter:card")).toBe("summary_large_image");
  }
  expect(pictures.size).toBe(heads.size);
});

test("structured data speaks schema.org and names only addresses of this site", () => {
  for (const { path, structured } of heads.values()) {
    for (const each of structured) {
      expect(each["@context"], path).toBe("https://schema.org");
      for (const [address] of JSON.stringify(each).matchAll(/https?:\/\/[^"]*/g)) {
        expect(address.startsWith("https://schema.org") || address.startsWith(siteUrl)).toBe(true);
      }
    }
  }
});

test("the home page says who is behind the site", () => {
  expect(thing("/", "Organization")).toMatchObject({
    name: "LiveKit Deploy",
    url: `${siteUrl}/`,
    logo: `${siteUrl}/icon-512.png`,
  });
});

test("the offers of the pricing page cost what its cards say", () => {
  const offers = thing("/pricing", "Product").offers as Record<string, unknown>[];
  expect(
    offers.map(({ name, price, priceCurrency }) => [name, `$${price}`, priceCurrency]),
  ).toEqual(
    plans.filter((plan) => "interval" in plan).map(({ name, price }) => [name, price, "USD"]),
  );
  expect(offers.map(({ priceSpecification }) => priceSpecification)).toMatchObject([
    { price: "109.99", referenceQuantity: { value: 1, unitCode: "MON" } },
    { price: "999.99", referenceQuantity: { value: 1, unitCode: "ANN" } },
  ]);
});

test("the questions of the FAQ are all there, with answers", () => {
  const questions = thing("/faq", "FAQPage").mainEntity as Record<string, unknown>[];
  expect(questions).toHaveLength(6);
  for (const { acceptedAnswer } of questions) {
    expect((acceptedAnswer as { text: string }).text.length).toBeGreaterThan(20);
  }
});

test("documentation and articles know the way back", () => {
  const trail = (path: string) =>
    (thing(path, "BreadcrumbList").itemListElement as { position: number; item: string }[]).map(
      ({ position, item }) => `${position} ${item.slice(siteUrl.length)}`,
    );
  expect(trail("/docs")).toEqual(["1 /", "2 /docs"]);
  expect(trail("/docs/api")).toEqual(["1 /", "2 /docs", "3 /docs/api"]);
  for (const path of articles()) expect(trail(path)).toEqual(["1 /", "2 /blog", `3 ${path}`]);
});

test("articles say when they were published and by whom", () => {
  for (const path of articles()) {
    const posting = thing(path, "BlogPosting");
    expect(posting.datePublished).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(posting.author).toMatchObject({ "@type": "Organization", name: "LiveKit Deploy" });
    expect(heads.get(path)?.properties.get("og:type")).toBe("article");
  }
});

function articles(): string[] {
  return [...heads.keys()].filter((path) => path.startsWith("/blog/"));
}

test("browsers get the colour of both themes", async () => {
  const page = await (await fetch(siteUrl)).text();
  expect(page.match(/<meta name="theme-color"[^>]*>/g)).toEqual([
    '<meta name="theme-color" content="#fafaf7" media="(prefers-color-scheme: light)"/>',
    '<meta name="theme-color" content="#0c1310" media="(prefers-color-scheme: dark)"/>',
  ]);
});
