import { beforeEach, expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";
import { openAccountMenu, tabTo } from "../../support/browser/page-actions.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

beforeEach(resetFakes);

const email = "customer.one@example.com";

const consolePages = [
  "/dashboard",
  "/dashboard/deployments",
  "/dashboard/deployments/new",
  "/dashboard/models",
  "/dashboard/usage",
  "/dashboard/billing",
  "/dashboard/plan",
  "/dashboard/support",
  "/dashboard/account",
];

test("the menu of the account has its address, the theme and the way out, and closes by Escape and by a press beside it", async () => {
  await using person = await openPage({ theme: "light" });
  const { page } = person;
  await person.signIn(email);
  await person.visit("/dashboard");
  const button = page.getByRole("banner").locator("summary");
  const out = page.getByRole("button", { name: "Sign out", exact: true });
  expect(await out.isVisible()).toBe(false);
  await tabTo(page, button);
  await page.keyboard.press("Enter");
  await out.waitFor();
  await page.getByText(`Signed in as${email}`).waitFor();
  expect(await page.getByRole("button", { name: "Light theme" }).isVisible()).toBe(false);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.getByRole("link", { name: "Invite somebody" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Tab");
  await page.getByRole("link", { name: "New workspace" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Tab");
  await page.getByRole("button", { name: "Dark theme" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  await page.locator("html.dark").waitFor();
  await page.getByRole("button", { name: "Light theme" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Escape");
  await out.waitFor({ state: "hidden" });
  await button.and(page.locator(":focus")).waitFor();
  await openAccountMenu(page);
  await out.waitFor();
  await page.getByRole("heading", { name: "Overview" }).click();
  await out.waitFor({ state: "hidden" });
});

test("at 320 pixels the navigation is one line, the current entry is in sight, and nothing scrolls sideways", async () => {
  await using person = await openPage({ viewport: { width: 320, height: 640 } });
  const { page } = person;
  await person.signIn(email);
  for (const path of consolePages) {
    await person.visit(path);
    const { width } = (await page.locator("html").boundingBox()) ?? {};
    expect(width).toBeLessThanOrEqual(320);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    const navigation = page.getByRole("navigation", { name: "Console" });
    const lines = await navigation
      .getByRole("link")
      .evaluateAll((links) => [...new Set(links.map((link) => link.getBoundingClientRect().y))]);
    expect(lines).toHaveLength(1);
    const current = await navigation.locator("[aria-current]").boundingBox();
    expect(current?.x).toBeGreaterThanOrEqual(0);
    expect((current?.x ?? 0) + (current?.width ?? 320)).toBeLessThanOrEqual(320);
  }
  await openAccountMenu(page);
  const out = page.getByRole("button", { name: "Sign out", exact: true });
  const box = await out.boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 320)).toBeLessThanOrEqual(320);
  // One line of text, not two.
  expect(box?.height).toBeLessThan(60);
});
