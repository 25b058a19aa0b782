import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";

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

test("the theme stays while somebody walks from page to page", async () => {
  await using person = await openPage({ theme: "dark" });
  const { page } = person;
  await person.visit("/");
  await page.getByRole("banner").getByRole("link", { name: "Pricing" }).click();
  await page.getByRole("heading", { name: "Choose your plan" }).waitFor();
  expect(await isDark(page)).toBe(true);
});

test.each(["light", "dark"] as const)(
  "without a choice the page is %s when the system is",
  async (systemTheme) => {
    await using person = await openPage({ systemTheme });
    await person.visit("/");
    expect(await isDark(person.page)).toBe(systemTheme === "dark");
    expect(await storedChoice(person.page)).toBeNull();
  },
);

test.each([
  { theme: "light", systemTheme: "dark" },
  { theme: "dark", systemTheme: "light" },
] as const)("the choice $theme holds against a $systemTheme system", async (themes) => {
  await using person = await openPage(themes);
  await person.visit("/");
  expect(await isDark(person.page)).toBe(themes.theme === "dark");
});

test("without JavaScript the system decides, and there is no button that does nothing", async () => {
  await using dark = await openPage({ javaScript: false, systemTheme: "dark" });
  await dark.visit("/");
  expect(await lightness(dark.page)).toBeLessThan(40);
  expect(await dark.page.getByRole("button", { name: "Toggle dark mode" }).count()).toBe(0);
  await using light = await openPage({ javaScript: false, systemTheme: "light" });
  await light.visit("/");
  expect(await lightness(light.page)).toBeGreaterThan(230);
});

test("a browser that forbids storage still turns dark for the page", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.addInitScript(() => {
    const forbid = () => {
      throw new DOMException("Storage is forbidden", "SecurityError");
    };
    Object.defineProperty(window, "localStorage", { get: forbid });
  });
  await person.visit("/");
  await page.getByRole("button", { name: "Toggle dark mode" }).click();
  expect(await isDark(page)).toBe(true);
});
