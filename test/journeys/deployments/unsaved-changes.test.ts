import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { buy } from "../../support/billing/hosted-pages.ts";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { storedDeployment } from "../../support/deployments/deployments.ts";
import { newDeployment } from "../../support/deployments/wizard.ts";
import { amount, scriptVariants, testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import type { Visitor } from "../../support/site/visitor.ts";

beforeEach(resetFakes);

type Way = (typeof scriptVariants)[number];
// With script a closed tab is the test before it.
const scripts = amount<readonly Way[]>({ inTest: [scriptVariants[1]], inProof: scriptVariants });
const typed = "typed.mycompany.com";

type AtDomain = { id: string; path: string; visitor: Visitor };

/** Somebody at the step Domain of a deployment that they have just made. */
async function arriveAtDomain(person: OpenPage): Promise<AtDomain> {
  const visitor = await person.signIn();
  await buy(visitor, "basic");
  const id = await newDeployment(visitor);
  const path = `/dashboard/deployments/${id}/edit?step=domain`;
  await person.visit(path);
  return { id, path, visitor };
}

const domain = (page: Page) => page.getByLabel("Domain", { exact: true });

/** Types another domain. Without script it is kept by the press of any step's button. */
async function typeDomain(page: Page, javaScript: boolean) {
  await domain(page).fill(typed);
  if (!javaScript) await page.getByRole("button", { name: "Domain" }).click();
  await page.getByText("Unsaved changes, kept for you.").waitFor();
}

/** Sees that what was typed is there, is said to be unsaved, and is saved by one press. */
async function expectTyped(page: Page, id: string) {
  await page.getByText("You have unsaved changes in Domain.").waitFor();
  expect(await domain(page).inputValue()).toBe(typed);
  expect((await storedDeployment(id)).options).toMatchObject({ domain: "rtc.mycompany.com" });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved as version 2.").waitFor();
  expect((await storedDeployment(id)).options).toMatchObject({ domain: typed });
  expect(await page.getByText("nsaved changes").count()).toBe(0);
}

test("unsaved changes survive a closed tab", async () => {
  await using person = await openPage();
  const { page } = person;
  const { id, path } = await arriveAtDomain(person);
  await typeDomain(page, true);
  const another = await page.context().newPage();
  await page.close();
  await another.goto(path);
  await expectTyped(another, id);
});

testInProof.each(scripts)(
  "unsaved changes survive the wizard's own steps, which say where it is, $script",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    const { id } = await arriveAtDomain(person);
    await domain(page).fill(typed);
    const steps = page.getByRole("navigation", { name: "Steps" });
    await steps.getByRole("button", { name: "Media" }).click();
    await page.getByRole("heading", { level: 1, name: "Media" }).waitFor();
    await steps.getByRole("button", { name: "Domain Unsaved changes" }).waitFor();
    await steps.getByRole("button", { name: "Review" }).click();
    await page.getByRole("heading", { level: 1, name: "Review" }).waitFor();
    await page.getByText(`${typed}Not saved`).waitFor();
    await steps.getByRole("link", { name: "Domain Unsaved changes" }).click();
    await page.getByRole("heading", { level: 1, name: "Domain" }).waitFor();
    await expectTyped(page, id);
  },
);
