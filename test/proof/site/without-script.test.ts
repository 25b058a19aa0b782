import { expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";
import { renderedText } from "../../support/browser/page-actions.ts";
import { publicPaths } from "../../support/site/site-routes.ts";

test.each(publicPaths())("%s reads well without script", async (path) => {
  await using person = await openPage({ javaScript: false, viewport: { width: 320, height: 800 } });
  const { page } = person;
  const response = await page.goto(path);
  expect(response?.status()).toBe(200);
  expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
  expect((await renderedText(page.getByRole("main"))).length).toBeGreaterThan(60);
  const { width } = (await page.locator("html").boundingBox()) ?? {};
  expect(width).toBeLessThanOrEqual(320);
});

test.each(["/docs/getting-started", "/privacy"])("%s prints as text on paper", async (path) => {
  await using person = await openPage({ theme: "dark" });
  const { page } = person;
  await page.emulateMedia({ media: "print" });
  await person.visit(path);
  expect(await page.getByRole("banner").isVisible()).toBe(false);
  expect(await page.getByRole("contentinfo").isVisible()).toBe(false);
  const lightness = await page
    .locator("body")
    .evaluate((body) => getComputedStyle(body).color.match(/[\d.]+/)?.[0]);
  expect(Number(lightness)).toBeLessThan(0.4);
});
