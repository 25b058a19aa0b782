import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { testInProof } from "../../support/run/variants.ts";

const isDark = (page: Page) =>
  page.evaluate(() => document.documentElement.classList.contains("dark"));

/** Whether React runs on the page; without it every step is a new document. */
const hasReact = (page: Page) =>
  page.evaluate(() => Object.keys(document).some((key) => key.startsWith("__react")));

test("a code block is copied by its button, which says so and is itself again", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.clock.install();
  await person.visit("/docs/getting-started");
  const block = page.locator("#page-text figure").first();
  await block.getByRole("button", { name: "Copy" }).click();
  await block.getByRole("button", { name: "Copied" }).waitFor();
  expect(await block.getByRole("status").textContent()).toBe("Copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    await block.locator("pre").textContent(),
  );
  await page.clock.runFor(2_000);
  await block.getByRole("button", { name: "Copy", exact: true }).waitFor();
  expect(await block.getByRole("status").textContent()).toBe("");
});

test("back and forward lead between pages with React and without", async () => {
  await using person = await openPage();
  const { page } = person;
  const bar = page.getByRole("navigation", { name: "Main" });
  const heading = (name: string) => page.getByRole("heading", { name, level: 1 }).waitFor();
  await person.visit("/pricing");
  await bar.getByRole("link", { name: "FAQ" }).click();
  await person.arrive("/faq");
  await heading("Frequently asked questions");
  // Loaded anew, the page has no React, and the entry before it belongs to the document that had.
  await page.reload();
  expect(await hasReact(page)).toBe(false);
  await page.goBack();
  await heading("Choose your plan");
  await person.arrive("/pricing");
  await page.goForward();
  await heading("Frequently asked questions");
  await person.visit("/faq");
  await bar.getByRole("link", { name: "Support" }).click();
  await person.arrive("/support");
  expect(await hasReact(page)).toBe(false);
  await bar.getByRole("link", { name: "Spotlight" }).click();
  await person.arrive("/spotlight");
  await page.goBack();
  await person.arrive("/support");
  await heading("Support");
  await page.goBack();
  await person.arrive("/faq");
  await heading("Frequently asked questions");
});

/** The file of the page script is gone, as for a page from before a deploy. */
async function losePageScript({ page, expectProblem }: OpenPage): Promise<void> {
  await page.route("**/assets/page-script-*.js", (route) => route.fulfill({ status: 404 }));
  expectProblem("404 GET /assets/page-script-");
}

testInProof("a page whose script is gone reads and leads on", async () => {
  await using person = await openPage();
  const { page } = person;
  await losePageScript(person);
  await person.visit("/faq#ssl");
  await page.getByText("Caddy, the reverse proxy").waitFor();
  const bar = page.getByRole("navigation", { name: "Main" });
  await bar.getByRole("link", { name: "Pricing" }).click();
  await person.arrive("/pricing");
  await page.getByRole("button", { name: "Toggle dark mode" }).click();
  expect(await isDark(page)).toBe(true);
});
