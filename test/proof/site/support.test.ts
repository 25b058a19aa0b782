import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";
import { scriptVariants } from "../../support/run/variants.ts";

function option(page: Page, title: string) {
  const heading = page.getByRole("heading", { name: title, level: 2 });
  return page.getByRole("listitem").filter({ has: heading });
}

test.each(scriptVariants)("support offers mail, chat and documentation $script", async (way) => {
  await using person = await openPage(way);
  const { page } = person;
  await person.visit("/support");
  await page.getByRole("heading", { name: "Support", level: 1 }).waitFor();
  const mail = option(page, "Email Support").getByRole("link", { name: "Email us" });
  expect(await mail.getAttribute("href")).toBe("mailto:support@livekit-deploy.example");
  const documentation = option(page, "Documentation").getByRole("link", { name: "View docs" });
  expect(await documentation.getAttribute("href")).toBe("/docs");

  await option(page, "Live Chat").getByText("No chat is staffed").waitFor();
  await option(page, "Live Chat")
    .getByText("Start chat leads to the contact form instead.")
    .waitFor();
  await option(page, "Live Chat").getByRole("link", { name: "Start chat" }).click();
  await person.arrive("/contact");
  expect(await page.getByLabel("Topic").inputValue()).toBe("support");
});

test("the three options are reached in order by keyboard", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/support");
  await option(page, "Email Support").getByRole("link", { name: "Email us" }).focus();
  const reached: (string | undefined)[] = [];
  for (let count = 0; count < 3; count++) {
    reached.push(await page.evaluate(() => document.activeElement?.textContent));
    await page.keyboard.press("Tab");
  }
  expect(reached).toEqual(["Email us", "Start chat", "View docs"]);
});
