import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";
import { siteUrl } from "../../support/site/own-site.ts";

function head(page: Page) {
  return page.evaluate(() => ({
    canonical: [...document.querySelectorAll<HTMLLinkElement>("link[rel=canonical]")].map(
      ({ href }) => href,
    ),
    url: [...document.querySelectorAll<HTMLMetaElement>("meta[property='og:url']")].map(
      ({ content }) => content,
    ),
    structured: [...document.querySelectorAll("script[type='application/ld+json']")].map(
      ({ textContent }) => JSON.parse(textContent)["@type"],
    ),
  }));
}

test("the head of a page is the same after hydration and follows every navigation", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/");
  expect(await head(page)).toEqual({
    canonical: [`${siteUrl}/`],
    url: [`${siteUrl}/`],
    structured: ["Organization"],
  });
  const main = page.getByRole("navigation", { name: "Main" });
  await main.getByRole("link", { name: "Pricing" }).click();
  await person.arrive("/pricing");
  await expect
    .poll(() => head(page))
    .toEqual({
      canonical: [`${siteUrl}/pricing`],
      url: [`${siteUrl}/pricing`],
      structured: ["Product"],
    });
});

test("a page that names no address of its own leads to ones that do", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/signin");
  expect((await head(page)).canonical).toEqual([]);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "FAQ" }).click();
  await person.arrive("/faq");
  await expect.poll(async () => (await head(page)).canonical).toEqual([`${siteUrl}/faq`]);
});

test.each([
  { systemTheme: "light", before: "#fafaf7", after: "#0c1310" },
  { systemTheme: "dark", before: "#0c1310", after: "#fafaf7" },
] as const)(
  "browsers paint the $systemTheme theme around the page until it is toggled",
  async (way) => {
    await using person = await openPage(way);
    const { page } = person;
    const painted = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")]
          .filter(({ media }) => matchMedia(media).matches)
          .map(({ content }) => content),
      );
    await person.visit("/");
    expect(await painted()).toEqual([way.before]);
    await page.getByRole("button", { name: "Toggle dark mode" }).click();
    expect(await painted()).toEqual([way.after]);
    await page.reload();
    expect(await painted()).toEqual([way.after]);
  },
);
