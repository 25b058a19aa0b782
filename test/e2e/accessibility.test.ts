import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { violations } from "../fixtures/axe.ts";
import { openBrowser } from "../fixtures/browser.ts";
import { prepareScreens } from "../fixtures/screens.ts";

const { openPage } = openBrowser();
const screens = prepareScreens();

const desktop = { width: 1280, height: 800 };
const phone = { width: 320, height: 640 };

/** What is wider than its place: the page, or an open dialog. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll("dialog[open]")]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(
        ({ tagName, scrollWidth, clientWidth }) => `${tagName}: ${scrollWidth} in ${clientWidth}`,
      ),
  );
}

test.for(screens)("$name: axe finds nothing, and it fits a phone", async ({ open }) => {
  await using person = await openPage({ theme: "light", viewport: desktop, reducedMotion: true });
  const { page } = person;
  await open(person);
  expect(await violations(page)).toEqual([]);
  await page.setViewportSize(phone);
  expect(await violations(page)).toEqual([]);
  expect(await cutOff(page)).toEqual([]);

  // The stored theme does no more than set this class (see theme.test.ts); it changes colours only.
  await page.evaluate(() => document.documentElement.classList.add("dark"));
  const colours = ["color-contrast", "link-in-text-block"];
  expect(await violations(page, colours)).toEqual([]);
  await page.setViewportSize(desktop);
  expect(await violations(page, colours)).toEqual([]);
});
