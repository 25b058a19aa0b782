import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { buy } from "../../support/billing/hosted-pages.ts";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { database } from "../../support/database/database.ts";
import { storedDeployment } from "../../support/deployments/deployments.ts";
import { newDeployment, saveStep } from "../../support/deployments/wizard.ts";
import { scriptVariants, variants } from "../../support/run/variants.ts";
import { resetFakes, steerInternet } from "../../support/site/control-fakes.ts";
import type { Visitor } from "../../support/site/visitor.ts";

beforeEach(resetFakes);

const scripts = variants(scriptVariants);
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

/** Signs out by the form that every page of the console has somewhere. */
async function signOut(page: Page) {
  await page.evaluate(() => {
    const form = document.createElement("form");
    form.method = "post";
    form.action = "/signout";
    document.body.insertAdjacentElement("beforeend", form);
    form.submit();
  });
  await page.waitForURL((url) => !url.pathname.startsWith("/dashboard"));
}

test("unsaved changes survive the way back, from the page that was gone to before the pause", async () => {
  await using person = await openPage();
  const { page } = person;
  const { id } = await arriveAtDomain(person);
  const keeping = page.waitForResponse(/\/unsaved$/);
  await domain(page).fill(typed);
  await page.getByRole("link", { name: "Deployments", exact: true }).first().click();
  await page.getByRole("heading", { level: 1, name: "Deployments" }).waitFor();
  expect((await keeping).status()).toBe(200);
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: "Domain" }).waitFor();
  await expectTyped(page, id);
});

test.each(scripts())(
  "unsaved changes survive signing out and in again, $script",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    const { id, path } = await arriveAtDomain(person);
    await typeDomain(page, javaScript);
    await signOut(page);
    await person.signIn();
    await person.visit(path);
    await expectTyped(page, id);
  },
);

test.each(scripts())(
  "unsaved changes are there on another device, $script",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    const { id, path } = await arriveAtDomain(person);
    await typeDomain(person.page, javaScript);
    await using phone = await openPage({ javaScript, viewport: { width: 390, height: 700 } });
    await phone.signIn();
    await phone.visit(path);
    await expectTyped(phone.page, id);
  },
);

test.each(scripts())(
  "unsaved changes survive a deploy in between, without what is not asked any more, $script",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    const { id, path } = await arriveAtDomain(person);
    await typeDomain(page, javaScript);
    const { data } = await database.from("unsaved_changes").select("changes").single();
    const changes = { ...Object(data?.changes), gone: { was: "a", now: "b" }, email: "older" };
    await database.from("unsaved_changes").update({ changes }).eq("deployment_id", id);
    await person.visit(path);
    await expectTyped(page, id);
  },
);

test.each(scripts())(
  "unsaved changes survive a colleague's save: both values are shown, and only what was typed is changed, $script",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    const { id, visitor } = await arriveAtDomain(person);
    await domain(page).fill(typed);
    const theirs = { domain: "theirs.mycompany.com", email: "theirs@mycompany.com" };
    expect((await saveStep(visitor, id, "domain", theirs)).status).toBe(303);
    person.expectProblem(`409 POST /dashboard/deployments/${id}/edit${javaScript ? ".data" : ""}`);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const row = page.getByRole("row").filter({ hasText: "Domain" });
    await row.getByText("theirs.mycompany.com").waitFor();
    await row.getByText(typed).waitFor();
    expect(await domain(page).inputValue()).toBe(typed);
    expect(await page.getByLabel("Email", { exact: true }).inputValue()).toBe(theirs.email);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved as version 3.").waitFor();
    expect((await storedDeployment(id)).options).toMatchObject({
      domain: typed,
      email: theirs.email,
    });
  },
);

test.each(scripts())(
  "discarding takes every change back, and that can be undone, $script",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    const { id } = await arriveAtDomain(person);
    await typeDomain(page, javaScript);
    await page.getByRole("button", { name: "Discard changes" }).click();
    await page.getByText("Your changes were discarded.").waitFor();
    expect(await domain(page).inputValue()).toBe("rtc.mycompany.com");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("You have unsaved changes in Domain.").waitFor();
    await expectTyped(page, id);
  },
);

test("unsaved changes of a deployment that is not made yet survive a closed tab", async () => {
  await using person = await openPage();
  const { page } = person;
  await buy(await person.signIn(), "basic");
  await person.visit("/dashboard/deployments/new");
  const keeping = page.waitForResponse(/\/unsaved$/);
  await domain(page).fill(typed);
  expect((await keeping).status()).toBe(200);
  const another = await page.context().newPage();
  await page.close();
  await another.goto("/dashboard/deployments/new");
  await another.getByText("This is what you typed before.").waitFor();
  expect(await domain(another).inputValue()).toBe(typed);
});

test.each(scripts())(
  "what is typed for a new deployment is discarded, and that is said once, $script",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    const visitor = await person.signIn();
    await buy(visitor, "basic");
    await visitor.post("/dashboard/deployments/new/unsaved", { domain: typed });
    await person.visit("/dashboard/deployments/new");
    await page.getByText("This is what you typed before.").waitFor();
    await page.getByRole("button", { name: "Discard changes" }).click();
    await page.getByText("Your changes were discarded.").waitFor();
    expect(await domain(page).inputValue()).toBe("");
    await person.visit("/dashboard/deployments/new");
    await page.getByRole("button", { name: "Create deployment" }).waitFor();
    expect(await page.getByText("Your changes were discarded.").count()).toBe(0);
  },
);

test("a copy's domain is warned of while it is typed, and not kept for another form", async () => {
  await using person = await openPage();
  const { page } = person;
  const visitor = await person.signIn();
  await buy(visitor, "pro");
  const id = await newDeployment(visitor);
  await steerInternet({ name: typed, A: ["198.41.0.4"] });
  await person.visit(`/dashboard/deployments/${id}/duplicate`);
  await domain(page).fill(typed);
  await page.getByText(`${typed} already leads to 198.41.0.4`).waitFor();
  const { data } = await database.from("unsaved_changes").select("changes").throwOnError();
  expect(data).toEqual([]);
});
