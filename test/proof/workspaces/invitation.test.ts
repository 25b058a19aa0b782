import { beforeEach, expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { newWorkspace } from "../../support/workspaces/workspaces.ts";

const ada = "customer.one@example.com";

beforeEach(resetFakes);

test("on a narrow phone the menu of workspaces is whole, opens by keyboard and closes by Escape", async () => {
  await using person = await openPage({ viewport: { width: 320, height: 640 } });
  await person.signIn(ada);
  await newWorkspace(ada, "blue-team");
  await person.visit("/dashboard");
  const { page } = person;
  const menu = page.getByRole("banner").locator("summary", { hasText: "Workspace:" });
  await menu.focus();
  await page.keyboard.press("Enter");
  const other = page.getByRole("link", { name: "blue-team" });
  await other.waitFor();
  const box = await other.evaluate((link) => {
    const { left, right } =
      link.closest("div")?.getBoundingClientRect() ?? link.getBoundingClientRect();
    return { left, right, width: document.documentElement.scrollWidth };
  });
  expect(box.left).toBeGreaterThanOrEqual(0);
  expect(box.right).toBeLessThanOrEqual(320);
  expect(box.width).toBe(320);
  await page.keyboard.press("Escape");
  await other.waitFor({ state: "hidden" });
});
