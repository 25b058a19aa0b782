import { beforeEach, expect, test } from "vitest";
import { violations } from "../../support/browser/axe.ts";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

beforeEach(resetFakes);

const email = "customer.one@example.com";

/** Opens the palette by its keys once it is not open any more, and answers its field and what is chosen in its list. */
async function openPalette({ page }: OpenPage) {
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("ControlOrMeta+k");
  const palette = page.getByRole("dialog");
  const field = palette.getByRole("combobox", { name: /^Go to a page/ });
  await field.and(page.locator(":focus")).waitFor();
  return { field, chosen: palette.getByRole("option", { selected: true }) };
}

test("by the keyboard alone the command palette leads to a page, to a deployment and to the documentation", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.signIn(email);
  const staging = await storeDeployment(email, fullOptions(), "Staging in Paris");
  await storeDeployment(email, fullOptions(), "Production");
  await person.visit("/dashboard");
  const { chosen } = await openPalette(person);
  await chosen.getByText("Overview").waitFor();
  // What comes last is not known before the deployments are there.
  await page.getByRole("option", { name: "Staging in Paris" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await chosen.getByText("Deployments").waitFor();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await chosen.getByText("Sign out").waitFor();
  await page.keyboard.type("billing");
  await chosen.getByText("Billing").waitFor();
  await page.keyboard.press("Enter");
  await person.arrive("/dashboard/billing");

  const again = await openPalette(person);
  await page.keyboard.type("paris stag");
  await again.chosen.getByText("Staging in Paris").waitFor();
  expect(await again.field.getAttribute("aria-activedescendant")).toBe(
    await again.chosen.getAttribute("id"),
  );
  await page.keyboard.press("Enter");
  await person.arrive(`/dashboard/deployments/${staging}`);

  const last = await openPalette(person);
  await page.keyboard.type("firewall ports");
  await page.getByRole("group", { name: "Documentation and blog" }).waitFor();
  await last.chosen.waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/(docs|blog)\//);
});

testInProof(
  "the command palette opens by its button, says when nothing is found, and closes by Escape where the focus was",
  async () => {
    await using person = await openPage({ viewport: { width: 320, height: 640 } });
    const { page } = person;
    await person.signIn(email);
    await person.visit("/dashboard");
    const button = page.getByRole("button", { name: "Go to…" });
    await button.click();
    const field = page.getByRole("dialog").getByRole("combobox");
    await field.fill("qqqq");
    await page.getByRole("status").getByText("Nothing has these words.").waitFor();
    await field.fill("");
    expect(await violations(page)).toEqual([]);
    // Behind a modal dialog the scrollbar's place is kept free.
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(320);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await button.and(page.locator(":focus")).waitFor();
    await button.click();
    await page.getByRole("dialog").getByRole("option", { name: "Usage" }).click();
    await person.arrive("/dashboard/usage");
  },
);
