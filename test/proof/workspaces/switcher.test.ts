import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { signedIn } from "../../support/site/visitor.ts";
import { addMember, newWorkspace } from "../../support/workspaces/workspaces.ts";

const [ada, ben] = ["customer.one@example.com", "customer.two@example.com"];

beforeEach(async () => {
  await resetFakes();
  await signedIn(ada);
  await newWorkspace(ada, "blue-team");
  await newWorkspace(ada, "red-team");
});

const button = (page: Page) => page.getByRole("banner").locator("summary").first();
const inMenu = (page: Page, name: string) =>
  page.getByRole("banner").locator("details[open]").getByRole("link", { name });

/** The workspaces in the order of the open menu. */
function listed(page: Page): Promise<string[]> {
  return page.getByRole("banner").locator("details[open] ul a").allInnerTexts();
}

/** Presses Tab until this has the focus. Fails after as many as a header can have. */
async function tabTo(page: Page, name: string) {
  for (let presses = 0; presses < 20; presses++) {
    await page.keyboard.press("Tab");
    if ((await focused(page)).includes(name)) return;
  }
  throw new Error(`Tab does not lead to ${name}`);
}

function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent ?? "");
}

async function openMenu(person: OpenPage, path: string): Promise<void> {
  await person.visit(path);
  await button(person.page).click();
  await inMenu(person.page, "New workspace").waitFor();
}

test("by keyboard alone somebody changes to the same page of another workspace", async () => {
  await using person = await openPage();
  await person.signIn(ada);
  const { page } = person;
  await person.visit("/dashboard/w/blue-team/usage");
  await tabTo(page, "Workspace: blue-team");
  await page.keyboard.press("Enter");
  await inMenu(page, "red-team").waitFor();
  await page.keyboard.press("Tab");
  // Escape closes the menu from within, and gives the focus back to its button.
  await page.keyboard.press("Escape");
  await inMenu(page, "red-team").waitFor({ state: "hidden" });
  expect(await focused(page)).toContain("Workspace: blue-team");
  await page.keyboard.press("Space");
  await tabTo(page, "red-team");
  await page.keyboard.press("Enter");
  await person.arrive("/dashboard/w/red-team/usage");
  await page.getByText("Workspace: red-team").waitFor();
  await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
  expect(await page.locator("details[data-menu][open]").count()).toBe(0);
});

test("a person who tabs on past the menu of workspaces sees what has the focus", async () => {
  await using person = await openPage();
  await person.signIn(ada);
  const { page } = person;
  await openMenu(person, "/dashboard/w/blue-team");
  await tabTo(page, "New workspace");
  expect(await page.locator("details[data-menu][open]").count()).toBe(1);
  await page.keyboard.press("Tab");
  await page.locator("details[data-menu][open]").waitFor({ state: "detached" });
  expect(await focused(page)).toContain("Go to");
});

test("without script the menu opens, and leads to the same page of another workspace", async () => {
  await using person = await openPage({ javaScript: false });
  await person.signIn(ada);
  const { page } = person;
  await openMenu(person, "/dashboard/w/blue-team/models");
  await inMenu(page, "red-team").click();
  await person.arrive("/dashboard/w/red-team/models");
  await page.getByText("Workspace: red-team").waitFor();
});

test("the workspace that was open last comes first, and the one of the page is marked", async () => {
  await using person = await openPage();
  await person.signIn(ada);
  const { page } = person;
  for (const last of ["blue-team", "red-team", "blue-team"]) {
    await openMenu(person, `/dashboard/w/${last}`);
    await inMenu(page, "New workspace").waitFor();
  }
  await openMenu(person, "/dashboard/w/blue-team");
  expect(await listed(page)).toEqual(["blue-team", "red-team", "Personal"]);
  const marked = page.getByRole("banner").locator("details[open] a[aria-current]");
  expect(await marked.allInnerTexts()).toEqual(["blue-team"]);
});

test("a page that another workspace cannot have leads to the part that it belongs to", async () => {
  await signedIn(ben);
  const closed = await newWorkspace(ben, "closed-team");
  await addMember(closed, ada, "viewer");
  await runSql("update public.workspaces set needs_second_factor = true where id = $1", [
    closed.id,
  ]);
  const watched = await newWorkspace(ben, "watched-team");
  await addMember(watched, ada, "viewer");
  await using person = await openPage();
  await person.signIn(ada);
  const { page } = person;
  const leadsTo = async (path: string, name: string) => {
    await openMenu(person, path);
    return inMenu(page, name).getAttribute("href");
  };
  const team = "/dashboard/w/red-team";
  const blue = "/dashboard/w/blue-team";
  expect(await leadsTo(`${blue}/deployments/new`, "red-team")).toBe(`${team}/deployments`);
  expect(await leadsTo(`${blue}/billing`, "red-team")).toBe(`${team}/billing`);
  expect(await leadsTo(`${blue}/audit`, "red-team")).toBe(`${team}/audit`);
  // Their role there does not read it.
  expect(await leadsTo(`${blue}/audit`, "watched-team")).toBe("/dashboard/w/watched-team");
  expect(await leadsTo(`${blue}/usage`, "closed-team")).toBe("/dashboard/w/closed-team");
  expect(await leadsTo(`${blue}/usage`, "Personal")).toBe("/dashboard/usage");
});

test("the account page keeps the workspace that somebody comes from, in the navigation and the palette", async () => {
  await using person = await openPage();
  await person.signIn(ada);
  const { page } = person;
  await person.visit("/dashboard/w/red-team/deployments");
  await page.getByRole("link", { name: "Account", exact: true }).click();
  await person.arrive("/dashboard/account");
  await page.getByText("Workspace: red-team").waitFor();
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("option", { name: "Usage" }).click();
  await person.arrive("/dashboard/w/red-team/usage");
  await person.visit("/dashboard/account");
  await page.getByRole("link", { name: "Deployments", exact: true }).click();
  await person.arrive("/dashboard/w/red-team/deployments");
});
