import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { siteUrl } from "../site/own-site.ts";

const maxStops = 60;

/** Tabs until `goal` has focus. On our own pages every stop on the way must be one that a person sees. */
export async function tabTo(page: Page, goal: Locator): Promise<void> {
  for (let stop = 0; stop < maxStops; stop++) {
    await page.keyboard.press("Tab");
    if (page.url().startsWith(siteUrl)) expect(await focusMark(page)).toBe("visible");
    if ((await goal.and(page.locator(":focus")).count()) === 1) return;
  }
  throw new Error(`${goal} is not among the first ${maxStops} stops`);
}
/** Whether what has focus is marked: an outline of 2 px or more, its own or that of its label. */
export function focusMark(page: Page): Promise<string> {
  return page.locator(":focus").evaluate((element) => {
    const marked = [element, element.closest("label")].some((each) => {
      if (!each) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(each);
      return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
    });
    const { width, height } = element.getBoundingClientRect();
    return marked && width > 0 && height > 0 ? "visible" : `not visible: ${element.outerHTML}`;
  });
}
