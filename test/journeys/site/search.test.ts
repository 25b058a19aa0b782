import { expect, test } from "vitest";
import { faultsOfPage } from "../../support/browser/axe.ts";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { amount } from "../../support/run/variants.ts";

/** What a person sees and uses of the search. */
function searchOf({ page }: OpenPage) {
  const dialog = page.getByRole("dialog", { name: "Search" });
  return {
    button: page.getByRole("button", { name: "Search" }),
    dialog,
    field: dialog.getByRole("searchbox"),
    results: dialog.getByRole("list", { name: "Results" }).getByRole("link"),
    status: dialog.getByRole("status"),
    failure: dialog.getByRole("alert").getByText("The search could not be loaded."),
  };
}

test("arrows walk through the results, and Enter in the field opens the first", async () => {
  await using person = await openPage();
  const { page } = person;
  const { field, results, status } = searchOf(person);
  await person.visit("/blog");
  await page.keyboard.press("Control+k");
  await field.fill("turn port 443");
  await results.nth(1).waitFor();
  expect(await status.textContent()).toMatch(/^\d+ results$/);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await results.nth(1).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await field.and(page.locator(":focus")).waitFor();
  const first = (await results.first().getAttribute("href")) ?? "";
  await page.keyboard.press("Enter");
  await person.arrive(first.split("#")[0] ?? "");
});

const themes = amount({ inTest: ["light"], inProof: ["light", "dark"] } as const);

test.each(themes)(
  "axe finds nothing in the open search, %s, and it fits a phone",
  async (theme) => {
    await using person = await openPage({ theme, viewport: { width: 320, height: 640 } });
    const { button, field, results } = searchOf(person);
    await person.visit("/docs");
    await button.click();
    await field.fill("turn");
    await results.first().waitFor();
    expect(await faultsOfPage(person.page)).toEqual([]);
  },
);
