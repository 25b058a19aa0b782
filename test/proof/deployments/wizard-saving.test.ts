import { beforeEach, expect, test } from "vitest";
import { buy } from "../../support/billing/hosted-pages.ts";
import { openPage } from "../../support/browser/browser.ts";
import { newDeployment } from "../../support/deployments/wizard.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

beforeEach(resetFakes);

/** A page at a step of the wizard, of a customer with one deployment. */
async function openStep(step: string) {
  const person = await openPage({ viewport: { width: 390, height: 700 } });
  const visitor = await person.signIn();
  await buy(visitor, "basic");
  const id = await newDeployment(visitor);
  await person.visit(`/dashboard/deployments/${id}/edit?step=${step}`);
  return { person, page: person.page };
}

test("the next step is shown from its heading, which has the focus", async () => {
  const { person, page } = await openStep("deployment");
  await using _ = person;
  await page.getByRole("button", { name: "Save and continue" }).click();
  const heading = page.getByRole("heading", { level: 1, name: "Domain" });
  await heading.waitFor();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  expect(await heading.evaluate((element) => element === document.activeElement)).toBe(true);
});

test("the first two screens of the wizard begin at their heading too (Low)", async () => {
  await using person = await openPage();
  const { page } = person;
  await buy(await person.signIn(), "basic");
  await person.visit("/dashboard/deployments");
  const focused = (name: string) =>
    page.getByRole("heading", { level: 1, name }).and(page.locator(":focus")).waitFor();
  await page
    .getByRole("link", { name: /deployment/ })
    .and(page.locator("[href$='/deployments/new']"))
    .first()
    .click();
  await focused("New deployment");
  await page.getByLabel("Domain").fill("live.mycompany.com");
  await page.getByRole("button", { name: "Create deployment" }).click();
  await focused("Cloud");
});

test("saving says which version it made, where the button was pressed, or that nothing differs", async () => {
  const { person, page } = await openStep("management");
  await using _ = person;
  const saved = page.getByRole("status").filter({ hasText: "Saved" });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await saved.getByText("No choice differs, so this is still version 1.").waitFor();
  await page.getByRole("radio", { name: /^Weekly By a timer/ }).check();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await saved.getByText("Saved as version 2.").waitFor();
  expect(await saved.evaluate((element) => element.getBoundingClientRect().top)).toBeGreaterThan(0);
  await saved.getByRole("link", { name: "See what changed" }).click();
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.getByText("Version 2").first().waitFor();
});

test("a pasted address is taken as its domain, and the account's own address is there to begin with", async () => {
  await using person = await openPage();
  const { page } = person;
  const visitor = await person.signIn();
  await buy(visitor, "basic");
  await person.visit("/dashboard/deployments/new");
  expect(await page.getByLabel("Email").inputValue()).toBe("customer.one@example.com");
  await page.getByLabel("Domain").fill("https://live.mycompany.com/");
  await page.getByRole("button", { name: "Create deployment" }).click();
  await page.getByRole("heading", { level: 1, name: "Cloud" }).waitFor();
  const steps = page.getByRole("navigation", { name: "Steps" });
  await steps.getByRole("button", { name: "Domain" }).click();
  await page.getByRole("heading", { level: 1, name: "Domain" }).waitFor();
  expect(await page.getByLabel("Domain", { exact: true }).inputValue()).toBe("live.mycompany.com");
});

test("one answer is changed from the review by a press on its line, and one save leads back", async () => {
  const { person, page } = await openStep("review");
  await using _ = person;
  await page.getByRole("link", { name: "Change: Hour of maintenance (UTC)" }).click();
  const hour = page.getByRole("textbox", { name: "Hour of maintenance (UTC)" });
  await hour.waitFor();
  // Its folded part is open, and it has the focus.
  await expect
    .poll(() => hour.evaluate((element) => element === document.activeElement))
    .toBe(true);
  await hour.fill("5");
  await page.getByRole("button", { name: "Save and go back" }).click();
  await page.getByRole("heading", { level: 1, name: "Review" }).waitFor();
  await page.getByText("Saved as version 2.").waitFor();
  await page
    .getByRole("definition")
    .filter({ hasText: /^5Change$/ })
    .waitFor();
});

test("whichever step somebody is in, one press saves what they changed in all of them", async () => {
  const { person, page } = await openStep("management");
  await using _ = person;
  await page.getByRole("radio", { name: /^Weekly By a timer/ }).check();
  const steps = page.getByRole("navigation", { name: "Steps" });
  await steps.getByRole("button", { name: "Cloud" }).click();
  await page.getByRole("heading", { level: 1, name: "Cloud" }).waitFor();
  await page.getByRole("radio", { name: "Hetzner" }).check();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved as version 2.").waitFor();
  await steps.getByRole("button", { name: "Review" }).click();
  await page
    .getByRole("definition")
    .filter({ hasText: /^Hetzner/ })
    .waitFor();
  await page
    .getByRole("definition")
    .filter({ hasText: /^Weekly/ })
    .waitFor();
});
