import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";
import { amount, testInProof } from "../../support/run/variants.ts";

function isDark(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.classList.contains("dark"));
}

function storedChoice(page: Page): Promise<string | null> {
  return page.evaluate(() => localStorage.getItem("darkMode"));
}

/** How light the page's background is, from 0 to 255. */
function lightness(page: Page): Promise<number> {
  return page.evaluate(() => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d");
    if (!canvas) throw new Error("No canvas");
    canvas.fillStyle = getComputedStyle(document.body).backgroundColor;
    canvas.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
    return (red + green + blue) / 3;
  });
}

test("the button turns the page dark and light and keeps the choice as true and false", async () => {
  await using person = await openPage();
  const { page } = person;
  const toggle = page.getByRole("button", { name: "Toggle dark mode" });
  await person.visit("/");
  expect(await isDark(page)).toBe(false);
  expect(await storedChoice(page)).toBeNull();
  expect(await lightness(page)).toBeGreaterThan(230);

  await toggle.click();
  expect(await isDark(page)).toBe(true);
  expect(await storedChoice(page)).toBe("true");
  expect(await lightness(page)).toBeLessThan(40);

  await person.visit("/pricing");
  expect(await isDark(page)).toBe(true);
  await toggle.click();
  expect(await isDark(page)).toBe(false);
  expect(await storedChoice(page)).toBe("false");
  await person.visit("/");
  expect(await isDark(page)).toBe(false);
});

testInProof(
  "the button says whether dark is on, by keyboard too, and after a choice in another tab",
  async () => {
    await using person = await openPage();
    const { page } = person;
    const toggle = page.getByRole("button", { name: "Toggle dark mode" });
    const pressed = (name: "true" | "false") =>
      toggle.and(page.locator(`[aria-pressed=${name}]`)).waitFor();
    for (const path of ["/docs", "/pricing"]) {
      await person.visit(path);
      await pressed("false");
      await toggle.focus();
      await page.keyboard.press("Enter");
      await pressed("true");
      await toggle.and(page.locator(":focus")).waitFor();
      await page.keyboard.press("Enter");
      await pressed("false");
      await toggle.and(page.locator(":focus")).waitFor();
    }
    const other = await page.context().newPage();
    await other.goto("/faq");
    await other.getByRole("button", { name: "Toggle dark mode" }).click();
    await pressed("true");
  },
);

const paths = amount({ inTest: ["/"], inProof: ["/", "/signup"] });

test.each(paths)("%s is dark before anything is painted", async (path) => {
  await using person = await openPage({ theme: "dark" });
  const { page } = person;
  await page.addInitScript(() => {
    const changes: { at: number; dark: boolean }[] = [];
    Object.assign(window, { themeChanges: changes });
    new MutationObserver(() => {
      const dark = document.documentElement?.classList.contains("dark") ?? false;
      if (changes.at(-1)?.dark !== dark) changes.push({ at: performance.now(), dark });
    }).observe(document, { subtree: true, childList: true, attributeFilter: ["class"] });
  });
  await page.goto(path, { waitUntil: "domcontentloaded" });
  expect(await isDark(page)).toBe(true);

  await person.arrive(path);
  const seen = await page.evaluate(
    () =>
      new Promise<{ firstPaint: number; changes: { at: number; dark: boolean }[] }>((resolve) => {
        new PerformanceObserver((list) => {
          const [paint] = list.getEntriesByName("first-paint");
          const changes: { at: number; dark: boolean }[] = Reflect.get(window, "themeChanges");
          if (paint) resolve({ firstPaint: paint.startTime, changes });
        }).observe({ type: "paint", buffered: true });
      }),
  );
  const atFirstPaint = seen.changes.findLast(({ at }) => at <= seen.firstPaint);
  expect(atFirstPaint?.dark).toBe(true);
  expect(seen.changes.at(-1)).toEqual(atFirstPaint);
});
