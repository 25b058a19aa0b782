import { expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";
import { tabTo } from "../../support/browser/page-actions.ts";
import { publicPaths } from "../../support/site/site-routes.ts";

test.each([320, 768, 1280])(
  "every public page shows the sign-in in its bar, %i px wide, without script too",
  async (width) => {
    await using person = await openPage({ javaScript: false, viewport: { width, height: 800 } });
    const { page } = person;
    for (const path of publicPaths()) {
      await page.goto(path);
      const link = page.getByRole("banner").getByRole("link", { name: "Sign in", exact: true });
      expect(await link.getAttribute("href"), path).toBe("/signin");
      const { x = -1, width: wide = width } = (await link.boundingBox()) ?? {};
      expect(x >= 0 && x + wide <= width, path).toBe(true);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(overflow, path).toBeLessThanOrEqual(width);
    }
  },
);

test("a customer reaches the sign-in by keyboard", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/pricing");
  await tabTo(page, page.getByRole("banner").getByRole("link", { name: "Sign in" }));
  await page.keyboard.press("Enter");
  await person.arrive("/signin");
});

test("signed in, the bar and the foot of a public page lead to the dashboard, on a phone too", async () => {
  await using person = await openPage({ viewport: { width: 320, height: 640 } });
  const { page } = person;
  await person.signIn();
  await person.visit("/docs");
  const bar = page.getByRole("banner");
  const brandLines = await bar.getByRole("link", { name: "LiveKit Deploy" }).evaluate((link) => {
    const words = document.createRange();
    words.selectNodeContents(link.lastChild ?? link);
    return words.getClientRects().length;
  });
  expect(brandLines).toBe(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  expect(await bar.getByRole("link", { name: "Sign in" }).isVisible()).toBe(false);
  const foot = page.getByRole("contentinfo");
  expect(await foot.getByRole("link", { name: "Get Early Access" }).isVisible()).toBe(false);
  expect(await foot.getByRole("link", { name: "Dashboard" }).getAttribute("href")).toBe(
    "/dashboard",
  );
  await bar.getByRole("link", { name: "Dashboard" }).click();
  await person.arrive("/dashboard");
});
