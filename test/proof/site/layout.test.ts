import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";
import { publicPaths } from "../../support/site/site-routes.ts";

const widths = [320, 480, 768, 1024, 1280, 1920];

/** Pairs of texts of which one is drawn over the other. */
function overlaps(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    /** The part of a rectangle that the boxes around it do not cut off. */
    const drawn = (rect: DOMRect, within: Element | null): DOMRect => {
      if (!within) return rect;
      if (getComputedStyle(within).overflow === "visible") return drawn(rect, within.parentElement);
      const box = within.getBoundingClientRect();
      const [x, y] = [Math.max(rect.x, box.x), Math.max(rect.y, box.y)];
      const right = Math.min(rect.right, box.right);
      const bottom = Math.min(rect.bottom, box.bottom);
      const rest = new DOMRect(x, y, Math.max(0, right - x), Math.max(0, bottom - y));
      return drawn(rest, within.parentElement);
    };
    const texts: { text: string; rects: DOMRect[] }[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      const text = node.textContent?.trim();
      if (!text || !parent?.checkVisibility() || parent.closest("[data-chrome], .sr-only, [inert]"))
        continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      // Glyphs are lower than the line that they stand in.
      const rects = [...range.getClientRects()]
        .filter(({ width, height }) => width > 1 && height > 1)
        .map(({ x, y, width, height }) => new DOMRect(x, y + height * 0.25, width, height * 0.5))
        .map((rect) => drawn(rect, parent));
      texts.push({ text, rects });
    }
    const found: string[] = [];
    for (const [at, one] of texts.entries()) {
      for (const other of texts.slice(at + 1)) {
        const collide = one.rects.some((a) =>
          other.rects.some(
            (b) =>
              Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
              Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2,
          ),
        );
        if (collide) found.push(`${one.text.slice(0, 40)} | ${other.text.slice(0, 40)}`);
      }
    }
    return found;
  });
}

test.each(publicPaths())("no text runs into another on %s, at any width", async (path) => {
  await using person = await openPage({ reducedMotion: true });
  const { page } = person;
  const found: string[] = [];
  await person.visit(path);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    found.push(...(await overlaps(page)).map((pair) => `at ${width}: ${pair}`));
  }
  expect(found).toEqual([]);
});

test("the three claims of the home page stand in one column", async () => {
  await using person = await openPage();
  await person.visit("/");
  const figures = person.page.locator("dl", { hasText: "< 100 ms" }).locator("dd.tabular-nums");
  const starts = await figures.evaluateAll((all) =>
    all.map((each) => each.getBoundingClientRect().left),
  );
  expect(starts).toHaveLength(3);
  expect(new Set(starts).size).toBe(1);
});

test("behind an open dialog the page does not scroll, and it does again afterwards", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/services");
  await page.getByRole("button", { name: "Configure now" }).first().click();
  await page.getByRole("dialog").waitFor();
  const before = await page.evaluate(() => scrollY);
  await page.mouse.move(5, 400);
  await page.mouse.wheel(0, 600);
  const scrolls = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).overflowY !== "hidden");
  expect([await scrolls(), await page.evaluate(() => scrollY)]).toEqual([false, before]);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await scrolls()).toBe(true);
});
