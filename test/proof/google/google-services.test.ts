import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";
import { closingActions } from "../../support/browser/closing-actions.ts";
import { noteRequests, stopClock, submitDemo } from "../../support/contact/demo-submit.ts";
import { type Field, specifiedTools } from "../../support/google/specified-tools.ts";

const cardOf = (page: Page, tool: string) =>
  page.getByRole("listitem", { name: tool, exact: true });

const dialogOf = (page: Page, tool: string) =>
  page.getByRole("dialog", { name: tool, exact: true });

const tabOf = (dialog: Locator, label: string) =>
  dialog.getByRole("tab", { name: label, exact: true });

async function expectFields(panel: Locator, fields: readonly Field[]) {
  expect(await panel.locator("input, select, textarea").count()).toBe(fields.length);
  for (const { label, name, type, min, max, value = "", options } of fields) {
    const field = panel.getByLabel(label, { exact: true });
    const attributes = await field.evaluate((element) => ({
      name: element.getAttribute("name"),
      type: element.getAttribute("type") ?? element.tagName.toLowerCase(),
      min: element.getAttribute("min") ?? undefined,
      max: element.getAttribute("max") ?? undefined,
      required: element.hasAttribute("required"),
    }));
    expect(attributes).toEqual({ name, type, min, max, required: false });
    expect(await field.inputValue()).toBe(value);
    if (options) expect(await field.getByRole("option").allInnerTexts()).toEqual(options);
  }
}

test.each(specifiedTools)(
  "$tool has every tab, field and limit, and its demo succeeds",
  async (each) => {
    await using person = await openPage();
    const { page } = person;
    await page.clock.install();
    await person.visit("/google-services");
    await stopClock(page);
    await cardOf(page, each.tool).getByRole("link", { name: each.tool, exact: true }).click();
    const dialog = dialogOf(page, each.tool);
    await dialog.waitFor();
    const labels = await dialog.getByRole("tab").allInnerTexts();
    expect(labels).toEqual(each.tabs.map(({ label }) => label));

    for (const { label, id, button, fields } of each.tabs) {
      await tabOf(dialog, label).click();
      const panel = dialog.getByRole("tabpanel", { name: label, exact: true });
      await panel.waitFor();
      expect(new URL(page.url()).search).toBe(`?tool=${each.id}&tab=${id}`);
      await expectFields(panel, fields);
      await panel.getByText("This is a demo: nothing is sent, and Google is not asked.").waitFor();
      const signUp = panel.getByRole("link", { name: "Sign up to make it real" });
      expect(await signUp.getAttribute("href")).toBe("/signup");
      await submitDemo(panel, { button, busy: "Processing..." });
      const done = panel.getByRole("status");
      expect(await done.textContent()).toBe("Operation completed successfully!");
      expect(await greenness(done)).toBeGreaterThan(0);
      await panel
        .getByText("That was the demo: nothing was sent, and Google was not asked.")
        .waitFor();
    }
  },
);

/** How much more green than red a box's line is. */
function greenness(box: Locator): Promise<number> {
  return box.evaluate((element) => {
    const canvas = document.createElement("canvas").getContext("2d");
    if (!canvas) throw new Error("No canvas");
    canvas.fillStyle = getComputedStyle(element).borderTopColor;
    canvas.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0] = canvas.getImageData(0, 0, 1, 1).data;
    return green - red;
  });
}

test.each([
  ["gmail", "respond", "you choose one of your messages here and write the answer"],
  ["gmail", "merge", "you give a template and a table here"],
  ["calendar", "availability", "your free times stand here"],
])("%s, %s: a demo without a field says what stands there instead", async (tool, tab, real) => {
  await using person = await openPage();
  await person.visit(`/google-services?tool=${tool}&tab=${tab}`);
  await person.page
    .getByText(`The demo has nothing to fill in. With your account connected, ${real}`)
    .waitFor();
});

test("availability is about the next 7 days", async () => {
  await using person = await openPage();
  await person.visit("/google-services?tool=calendar&tab=availability");
  await dialogOf(person.page, "Calendar Management").getByText("next 7 days").waitFor();
});

test("an event that ends before it starts fails in a red box, and what was typed stays", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.clock.install();
  await person.visit("/google-services?tool=calendar&tab=create");
  await stopClock(page);
  const dialog = dialogOf(page, "Calendar Management");
  await dialog.getByLabel("Summary").fill("Kick-off");
  await dialog.getByLabel("Start").fill("2027-03-29T10:00");
  await dialog.getByLabel("End", { exact: true }).fill("2027-03-29T09:59");
  const words = { button: "Create event", busy: "Processing..." };
  await submitDemo(dialog, words);
  const alert = dialog.getByRole("alert");
  expect(await alert.textContent()).toBe("Error: The event must end after it starts.");
  expect(await greenness(alert)).toBeLessThan(0);
  expect(await dialog.getByLabel("Summary").inputValue()).toBe("Kick-off");
  await dialog.getByLabel("End", { exact: true }).fill("2027-03-29T10:45");
  await submitDemo(dialog, words);
  await dialog.getByText("Operation completed successfully!").waitFor();
  await alert.waitFor({ state: "detached" });
});

test.each([
  { path: "/google-services?tool=gmail&tab=list", button: "List sent", wrong: ["0", "101"] },
  { path: "/google-services?tool=docs&tab=list", button: "List documents", wrong: ["0", "1001"] },
])("a number outside the limits of $path is not submitted", async ({ path, button, wrong }) => {
  await using person = await openPage();
  const { page } = person;
  await person.visit(path);
  const field = page.getByLabel("Max results");
  for (const number of wrong) {
    await field.fill(number);
    await page.getByRole("button", { name: button, exact: true }).click();
    await field.and(page.locator(":invalid:focus")).waitFor();
    expect(await page.getByRole("button", { name: button, exact: true }).isEnabled()).toBe(true);
  }
});

test("the tabs follow the keyboard, round and round, and the address follows the tabs", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/faq");
  await person.visit("/google-services");
  await cardOf(page, "Gmail Integration").getByRole("link", { name: "Gmail Integration" }).focus();
  await page.keyboard.press("Enter");
  const dialog = dialogOf(page, "Gmail Integration");
  const focused = (label: string) => tabOf(dialog, label).and(page.locator(":focus")).waitFor();
  await focused("Send Email");
  for (const [key, label] of [
    ["ArrowRight", "List Sent"],
    ["ArrowRight", "Respond"],
    ["End", "Mail Merge"],
    ["ArrowRight", "Send Email"],
    ["ArrowLeft", "Mail Merge"],
    ["Home", "Send Email"],
    ["ArrowRight", "List Sent"],
  ] as const) {
    await page.keyboard.press(key);
    await focused(label);
    await dialog.getByRole("tabpanel", { name: label, exact: true }).waitFor();
    expect(await dialog.getByRole("tab", { selected: true }).allInnerTexts()).toEqual([label]);
  }
  expect(new URL(page.url()).search).toBe("?tool=gmail&tab=list");
  await page.keyboard.press("Tab");
  await dialog.getByLabel("Max results").and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(new URL(page.url()).search).toBe("");
  await page.goBack();
  await person.arrive("/faq");
});

test("each line of a card opens its own tab", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/google-services");
  await cardOf(page, "Task Management")
    .getByRole("link", { name: /^Complete Task/ })
    .click();
  const dialog = dialogOf(page, "Task Management");
  await dialog.getByLabel("Exact task title").waitFor();
});

test.each(closingActions)(
  "%s calls a submit off, and the next dialog starts anew",
  async (_, close) => {
    await using person = await openPage();
    const { page } = person;
    await page.clock.install();
    await person.visit("/google-services");
    await stopClock(page);
    const card = cardOf(page, "Document Management");
    const opener = card.getByRole("link", { name: "Document Management" });
    await opener.click();
    const dialog = dialogOf(page, "Document Management");
    await dialog.getByRole("button", { name: "Create document" }).click();
    await dialog.getByRole("button", { name: "Processing..." }).waitFor();
    await close(page);
    await dialog.waitFor({ state: "detached" });
    await opener.and(page.locator(":focus")).waitFor();
    await page.clock.runFor(5_000);
    await opener.click();
    await dialog.getByRole("button", { name: "Create document" }).waitFor();
    expect(await dialog.getByRole("status").count()).toBe(0);
  },
);

test.each([
  { query: "?tool=nothing&tab=send", tool: undefined },
  { query: "?tab=send", tool: undefined },
  { query: "?tool=__proto__", tool: undefined },
  { query: "?tool=tasks&tab=merge&more=1", tool: "Task Management" },
  { query: "?tool=tasks", tool: "Task Management" },
])("$query opens what can be opened", async ({ query, tool }) => {
  await using person = await openPage();
  const { page } = person;
  await person.visit(`/google-services${query}`);
  await page.getByRole("heading", { level: 1, name: "Google Services" }).waitFor();
  if (tool) await dialogOf(page, tool).getByRole("tabpanel", { name: "Create Task" }).waitFor();
  else await page.getByRole("dialog").waitFor({ state: "detached" });
});

test("the examples call Google where Google is", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/google-services");
  const section = page.getByRole("region", { name: "Example Usage", exact: true });
  const titles = await section.getByRole("heading", { level: 3 }).allInnerTexts();
  expect(titles).toEqual([
    "Send an email",
    "Create an event",
    "Create a task",
    "Create and search documents",
  ]);
  for (const address of [
    "https://gmail.googleapis.com/gmail/v1/users/me/messages/send",
    "https://www.googleapis.com/calendar/v3/calendars/primary/events",
    "https://tasks.googleapis.com/tasks/v1/lists/@default/tasks",
    "https://docs.googleapis.com/v1/documents",
    "https://www.googleapis.com/drive/v3/files",
  ]) {
    await section.getByText(address).first().waitFor();
  }
  expect(await section.locator("pre span[class]").count()).toBeGreaterThan(50);
  expect(await section.locator("[style]").count()).toBe(0);
});

test("arriving by a link inside the site shows the examples too", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/");
  await page.getByRole("contentinfo").getByRole("link", { name: "Google services" }).click();
  await person.arrive("/google-services");
  await page.getByRole("heading", { name: "Create and search documents" }).waitFor();
  await cardOf(page, "Gmail Integration").getByRole("link", { name: "Gmail Integration" }).click();
  await dialogOf(page, "Gmail Integration").waitFor();
  await page.getByText("sendEmail(").first().waitFor({ state: "attached" });
});

test("without JavaScript tabs are links, and no form offers to submit", async () => {
  await using person = await openPage({ javaScript: false });
  const { page } = person;
  await person.visit("/google-services");
  await cardOf(page, "Document Management")
    .getByRole("link", { name: "Document Management" })
    .click();
  const dialog = dialogOf(page, "Document Management");
  await tabOf(dialog, "Search").click();
  await dialog.getByText("The demo itself needs JavaScript").waitFor();
  const requests = noteRequests(page);
  await dialog.getByLabel("Query").fill("minutes");
  await dialog.getByLabel("Query").press("Enter");
  expect(requests).toEqual([]);
  expect(await dialog.getByRole("button").allInnerTexts()).toEqual([""]);
  await dialog.getByRole("button", { name: "Close" }).click();
  await person.arrive("/google-services");
  await page.getByRole("dialog").waitFor({ state: "detached" });
});
