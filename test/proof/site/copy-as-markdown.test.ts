import { expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";
import { renderedText } from "../../support/browser/page-actions.ts";
import { siteUrl } from "../../support/site/own-site.ts";

test.each(["/docs/getting-started", "/blog/ports-and-firewalls"])(
  "%s is copied as Markdown whose links lead on from anywhere",
  async (path) => {
    await using person = await openPage();
    const { page } = person;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.clock.install();
    await person.visit(path);
    const title = await renderedText(page.getByRole("heading", { level: 1 }));
    await page.getByRole("button", { name: "Copy as Markdown" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    await page.getByRole("status").getByText("Copied").waitFor({ state: "attached" });
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(new RegExp(`^# ${title}\n`));
    expect(copied).toContain(`](${siteUrl}/`);
    expect(copied).not.toMatch(/\]\(\/|^date:/m);
    await page.clock.runFor(2_000);
    await page.getByRole("button", { name: "Copy as Markdown" }).waitFor();
  },
);

test("a page whose Markdown cannot be had says that nothing was copied", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.route("**/docs/api.md", (route) => route.fulfill({ status: 404 }));
  person.expectProblem("404 GET /docs/api.md");
  await person.visit("/docs/api");
  await page.getByRole("button", { name: "Copy as Markdown" }).click();
  await page.getByRole("button", { name: "Not copied: view it instead" }).waitFor();
});

test("without script the Markdown of a page is a link away", async () => {
  await using person = await openPage({ javaScript: false });
  const { page } = person;
  await person.visit("/docs/api");
  expect(await page.getByRole("button", { name: "Copy as Markdown" }).count()).toBe(0);
  await page.getByRole("link", { name: "View as Markdown" }).click();
  await person.arrive("/docs/api.md");
  await page.getByText("# API reference").first().waitFor();
});
