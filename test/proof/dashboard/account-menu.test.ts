import { beforeEach, expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";
import { openAccountMenu, tabTo } from "../../support/browser/page-actions.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

beforeEach(resetFakes);

const email = "customer.one@example.com";

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
