import type { Locator, Page } from "playwright-core";
import type { OpenPage } from "../browser/browser.ts";

/** The dialog of the sign-up page in which somebody who is signed in chooses a plan. */
export function planDialog(page: Page): Locator {
  return page.getByRole("dialog", { name: "Choose your plan" });
}

/** Signs in and opens the plan dialog. */
export async function startAtPlanDialog(person: OpenPage): Promise<Locator> {
  await person.signIn();
  await person.visit("/signup");
  await person.page.locator("dialog:modal").waitFor();
  return planDialog(person.page);
}
