import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { pngSize } from "../../support/browser/png.ts";
import { portBase, siteUrl } from "../../support/site/own-site.ts";
import { publicPaths } from "../../support/site/site-routes.ts";

const { SUPPORT_EMAIL } = exampleVariables({ siteUrl, portBase });

async function read(path: string, type: string) {
  const response = await fetch(siteUrl + path);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
  return response;
}

test("robots.txt leads to the sitemap and keeps crawlers out of the console", async () => {
  const lines = (await (await read("/robots.txt", "text/plain; charset=utf-8")).text()).split("\n");
  expect(lines).toContain(`Sitemap: ${siteUrl}/sitemap.xml`);
  for (const closed of ["/api/", "/auth/", "/dashboard"]) {
    expect(lines).toContain(`Disallow: ${closed}`);
  }
});

test("the sitemap lists every public page and nothing else, and each answers", async () => {
  const sitemap = await (await read("/sitemap.xml", "application/xml; charset=utf-8")).text();
  const addresses = [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map(
    ([, address = ""]) => address,
  );
  expect(addresses.toSorted()).toEqual(publicPaths().map((path) => siteUrl + path));
  for (const address of addresses) {
    const page = await fetch(address, { redirect: "manual" });
    expect([address, page.status]).toEqual([address, 200]);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(await page.text()).not.toMatch(/<meta name="robots" content="noindex/);
  }
});

test("the sitemap gives a date only to pages whose text has that date", async () => {
  const sitemap = await (await fetch(`${siteUrl}/sitemap.xml`)).text();
  const dated = [...sitemap.matchAll(/<loc>([^<]*)<\/loc><lastmod>([^<]*)</g)];
  expect(dated.length).toBeGreaterThan(3);
  for (const [, address = "", date] of dated) {
    const name = new URL(address).pathname.slice(1);
    const file = [`${name}.md`, `${name}/overview.md`, `legal/${name}.md`, `company/${name}.md`]
      .map((each) => `app/content/${each}`)
      .find((each) => readIfThere(each));
    expect(readIfThere(file ?? ""), address).toContain(`\ndate: ${date}\n`);
  }
});

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

test("security.txt says where to report a hole, for less than a year", async () => {
  const response = await read("/.well-known/security.txt", "text/plain; charset=utf-8");
  const fields = new Map(
    (await response.text())
      .trimEnd()
      .split("\n")
      .map((line) => line.split(": ", 2) as [string, string]),
  );
  expect(fields.get("Contact")).toBe(`mailto:${SUPPORT_EMAIL}`);
  expect(fields.get("Canonical")).toBe(`${siteUrl}/.well-known/security.txt`);
  const days = (Date.parse(fields.get("Expires") ?? "") - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(30);
  expect(days).toBeLessThan(365);

  const policy = new URL(fields.get("Policy") ?? "");
  const page = await (await fetch(policy)).text();
  expect(page).toContain(`id="${policy.hash.slice(1)}"`);
});

test.each(["/llms.txt", "/robots.txt", "/sitemap.xml", "/.well-known/security.txt"])(
  "%s is the same for everybody and comes from the cache",
  async (path) => {
    await fetch(siteUrl + path);
    const again = await fetch(siteUrl + path);
    expect(again.headers.get("cache-control")).toMatch(/^public, /);
    expect(again.headers.get("cache-status")).toMatch(/hit/);
  },
);

test("the manifest names icons that exist in the sizes it says", async () => {
  const manifest: {
    icons: { src: string; sizes: string; type: string; purpose?: string }[];
    start_url: string;
  } = await (await read("/manifest.webmanifest", "application/manifest+json")).json();
  expect((await fetch(siteUrl + manifest.start_url)).status).toBe(200);
  expect(manifest.icons.some(({ purpose }) => purpose === "maskable")).toBe(true);
  for (const { src, sizes, type } of manifest.icons) {
    const icon = await read(src, type);
    if (sizes !== "any") expect(`${pngSize(await icon.bytes()).join("x")}`).toBe(sizes);
  }
});

test("every page leads to the manifest and to icons that exist", async () => {
  const page = await (await fetch(siteUrl)).text();
  const linked = (rel: string) => new RegExp(`<link rel="${rel}" href="([^"]*)"`).exec(page)?.[1];
  expect(linked("manifest")).toBe("/manifest.webmanifest");
  await read(linked("icon") ?? "", "image/svg+xml");
  const touch = await read(linked("apple-touch-icon") ?? "", "image/png");
  expect(pngSize(await touch.bytes())).toEqual([180, 180]);
});

test("/favicon.ico is there for who asks for it unasked: one picture of 32 pixels", async () => {
  const response = await fetch(`${siteUrl}/favicon.ico`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^image\/(vnd\.microsoft\.icon|x-icon)/);
  const icon = Buffer.from(await response.bytes());
  expect([icon.readUInt16LE(2), icon.readUInt16LE(4), icon[6], icon[7]]).toEqual([1, 1, 32, 32]);
  expect(pngSize(icon.subarray(icon.readUInt32LE(18)))).toEqual([32, 32]);
});
