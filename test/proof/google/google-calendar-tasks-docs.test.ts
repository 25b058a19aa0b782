import type { Locator, Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { violations } from "../../support/browser/axe.ts";
import { type OpenPage, openPage, type PageOptions } from "../../support/browser/browser.ts";
import { renderedText } from "../../support/browser/page-actions.ts";
import { googleEmail } from "../../support/google/google-fake.ts";
import { connectTool, googleRequestLog, steerGoogle } from "../../support/google/google-tools.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";

beforeEach(resetFakes);

/** Somebody signed in, whose tool is connected, in front of one of its tabs. */
async function openTool(tool: string, tab: string, options?: PageOptions): Promise<OpenPage> {
  const person = await openPage(options);
  const visitor = await person.signIn(googleEmail);
  await connectTool(visitor, tool);
  const cookies = [...visitor.cookies].map(([name, value]) => ({ name, value, url: siteUrl }));
  await person.page.context().addCookies(cookies);
  await person.visit(`/google-services?tool=${tool}&tab=${tab}`);
  return person;
}

const panelOf = (page: Page, label: string) =>
  page.getByRole("dialog").getByRole("tabpanel", { name: label, exact: true });

/** Goes to another tab of the open tool. */
async function openTab(page: Page, label: string): Promise<Locator> {
  await page.getByRole("dialog").getByRole("tab", { name: label, exact: true }).click();
  const panel = panelOf(page, label);
  await panel.getByText(`Connected as ${googleEmail}`).waitFor();
  return panel;
}

async function press(panel: Locator, button: string): Promise<void> {
  await panel.getByRole("button", { name: button, exact: true }).click();
}

async function succeeds(panel: Locator): Promise<Locator> {
  const done = panel.getByRole("status").filter({ hasText: "Operation completed successfully!" });
  await done.waitFor();
  return done;
}

const linkIn = (place: Locator, name: string | RegExp) =>
  place.getByRole("link", { name }).getAttribute("href");

/** A day so many days from now, as a zone without changes of clocks has it: `2026-11-23`. */
function dayInTokyo(days: number): string {
  const moment = new Date(Date.now() + days * 86_400_000 + 9 * 3_600_000);
  return moment.toISOString().slice(0, 10);
}

function rowName(day: string): string {
  const format = { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat("en-US", format).format(new Date(`${day}T00:00Z`));
}

test("an event across midnight is created, and busy on both days of the week that is drawn", async () => {
  await using person = await openTool("calendar", "create", { timeZone: "Asia/Tokyo" });
  const { page } = person;
  const create = panelOf(page, "Create Event");
  await create.getByText("Times are those of your time zone, Asia/Tokyo.").waitFor();
  const [first, second, third] = [2, 3, 4].map(dayInTokyo) as [string, string, string];
  await create.getByLabel("Summary").fill("Night shift");
  await create.getByLabel("Start").fill(`${first}T22:00`);
  await create.getByLabel("End", { exact: true }).fill(`${second}T02:00`);
  await press(create, "Create event");
  const done = await succeeds(create);
  expect(await linkIn(done, "Open the event in Google Calendar")).toMatch(
    /^https:\/\/www\.google\.com\/calendar\/event\?/,
  );
  await create
    .getByText(`${rowName(first)} 22:00 to ${rowName(second)} 02:00 (Asia/Tokyo)`)
    .waitFor();

  const week = await openTab(page, "Check Availability");
  await press(week, "Check availability");
  await succeeds(week);
  const row = (day: string) => week.getByRole("row", { name: new RegExp(`^${rowName(day)} `) });
  const cells = async (day: string) => {
    await row(day).waitFor();
    return row(day).getByRole("cell").allInnerTexts();
  };
  expect(await cells(first)).toEqual(["22:00 to 24:00", "00:00 to 22:00"]);
  expect(await cells(second)).toEqual(["00:00 to 02:00", "02:00 to 24:00"]);
  expect(await cells(third)).toEqual(["Never", "All day"]);
  expect(await week.getByRole("rowheader").count()).toBe(8);
  await expectBar(week, { day: first, from: 22 / 24, to: 1 });
  await expectBar(week, { day: second, from: 0, to: 2 / 24 });
  expect(await violations(page)).toEqual([]);
});

/** In the drawing the dark part of a day lies where the table says it is busy. */
async function expectBar(week: Locator, bar: { day: string; from: number; to: number }) {
  // By what is shown: a midnight may have passed since the test began.
  const days = await week.getByRole("rowheader").allInnerTexts();
  const place = await week
    .locator("svg")
    .nth(days.indexOf(rowName(bar.day)))
    .evaluate((drawing) => {
      const whole = drawing.getBoundingClientRect();
      const dark = drawing.querySelector('rect[fill="var(--ink)"]')?.getBoundingClientRect();
      if (!dark) return;
      const share = (x: number) => (x - whole.left) / whole.width;
      return { from: share(dark.left), to: share(dark.right) };
    });
  expect(place?.from).toBeCloseTo(bar.from, 2);
  expect(place?.to).toBeCloseTo(bar.to, 2);
}

test("an event in an hour that clocks skip is refused at its field, and what was typed stays", async () => {
  await using person = await openTool("calendar", "create", { timeZone: "Europe/Berlin" });
  const { page } = person;
  person.expectProblem("400 POST /google-services/call/calendar/create");
  const create = panelOf(page, "Create Event");
  await create.getByLabel("Summary").fill("Kick-off");
  await create.getByLabel("Start").fill("2027-03-28T02:30");
  await create.getByLabel("End", { exact: true }).fill("2027-03-28T04:00");
  await press(create, "Create event");
  const words = "Clocks in Europe/Berlin go forward over 02:30 on that day.";
  await create
    .getByRole("alert")
    .filter({ hasText: `Error: ${words}` })
    .waitFor();
  expect(await create.getByLabel("Start").getAttribute("aria-invalid")).toBe("true");
  expect(await create.getByLabel("Summary").inputValue()).toBe("Kick-off");
  expect((await googleRequestLog()).filter(({ method }) => method === "POST")).toEqual([]);
});

test("tasks are created, completed by choice where a title is there twice, and listed", async () => {
  await using person = await openTool("tasks", "create");
  const { page } = person;
  person.expectProblem("409 POST /google-services/call/tasks/complete");
  person.expectProblem("404 POST /google-services/call/tasks/complete");
  const create = panelOf(page, "Create Task");
  for (const notes of ["of Monday", "of Tuesday"]) {
    await create.getByLabel("Title").fill("Minutes");
    await create.getByLabel("Notes").fill(notes);
    await create.getByLabel("Due").fill("2027-03-30");
    await press(create, "Create task");
    const done = await succeeds(create);
    expect(await linkIn(done, "Open the task in Google Tasks")).toMatch(
      /^https:\/\/tasks\.google\.com\//,
    );
  }

  const complete = await openTab(page, "Complete Task");
  await complete.getByLabel("Exact task title").fill("minutes");
  await press(complete, "Complete task");
  const alert = complete.getByRole("alert");
  await alert.filter({ hasText: "No open task has exactly this title." }).waitFor();
  await complete.getByLabel("Exact task title").fill("Minutes");
  await press(complete, "Complete task");
  await alert.filter({ hasText: "2 open tasks have this title." }).waitFor();
  const choices = complete.getByRole("list", { name: "Open tasks" }).getByRole("listitem");
  expect(await choices.count()).toBe(2);
  await choices.filter({ hasText: "of Monday" }).getByRole("button").click();
  await succeeds(complete);
  await complete.getByText("(due Tue, Mar 30, completed)").waitFor();

  const list = await openTab(page, "List Tasks");
  const tasks = list.getByRole("list", { name: "Tasks" }).getByRole("listitem");
  await press(list, "List tasks");
  await tasks.filter({ hasText: "of Tuesday" }).waitFor();
  expect(await tasks.count()).toBe(1);
  await list.getByLabel("Show completed").selectOption("Yes");
  await press(list, "List tasks");
  await tasks.filter({ hasText: "of Monday" }).waitFor();
  expect(await tasks.count()).toBe(2);
});

test("a long list of tasks comes page by page, as it was asked for", async () => {
  const tasks = Array.from({ length: 120 }, (_, index) => ({
    id: `t${index}`,
    title: `Task ${index}`,
  }));
  await using person = await openTool("tasks", "list");
  const done = { id: "done", title: "Done", completed: "2026-11-01T09:00:00.000Z" };
  await steerGoogle("seed", { email: googleEmail, tasks: [...tasks, done] });
  const list = panelOf(person.page, "List Tasks");
  await press(list, "List tasks");
  await list.getByText("Task 99", { exact: true }).waitFor();
  expect(await list.getByText("Task 100", { exact: true }).count()).toBe(0);
  // The list above is still the one without what is done.
  await list.getByLabel("Show completed").selectOption("Yes");
  await press(list, "Show more");
  await list.getByText("Task 119", { exact: true }).waitFor();
  await list.getByText("Task 0", { exact: true }).waitFor();
  await list.getByRole("button", { name: "Show more" }).waitFor({ state: "detached" });
  expect(await list.getByText("Done", { exact: true }).count()).toBe(0);
  // What was chosen since has not been asked for yet, and is kept.
  await person.page.reload();
  await person.page.getByText("Connected as").waitFor();
  const chosen = list.getByLabel("Show completed").locator("option:checked");
  expect(await renderedText(chosen)).toBe("Yes");
});

test("documents are created, listed, found by their titles and rewritten", async () => {
  await using person = await openTool("docs", "create");
  const { page } = person;
  const create = panelOf(page, "Create Document");
  await create.getByLabel("Title").fill("Minutes of Monday");
  await create.getByLabel("Body").fill("The ports\nare open.");
  await press(create, "Create document");
  const address = await linkIn(await succeeds(create), "Open the document in Google Docs");
  const id = /\/document\/d\/([\w-]{44})\/edit/.exec(address ?? "")?.[1] ?? "";
  await steerGoogle("seed", {
    email: googleEmail,
    documents: [{ id: "older", title: "Budget", text: "Money", modified: "2026-01-01T00:00:00Z" }],
  });

  const list = await openTab(page, "List Documents");
  const titles = (panel: Locator) =>
    panel.getByRole("list", { name: "Documents" }).getByRole("link").allInnerTexts();
  await press(list, "List documents");
  await expect.poll(() => titles(list)).toEqual(["Minutes of Monday", "Budget"]);

  const search = await openTab(page, "Search");
  await search.getByText("Finds documents by their titles, not by what is in them.").waitFor();
  await search.getByLabel("Query").fill("minutes mon");
  await press(search, "Search");
  await expect.poll(() => titles(search)).toEqual(["Minutes of Monday"]);
  await search.getByLabel("Query").fill("ports");
  await press(search, "Search");
  await search.getByText("There are no documents to show.").waitFor();

  const update = await openTab(page, "Update");
  await update.getByLabel("Document ID").fill(id);
  await update.getByLabel("Content").fill("Nothing is left.");
  await press(update, "Update");
  await succeeds(update);
  expect((await googleRequestLog()).at(-1)?.body).toMatchObject({
    requests: [{ deleteContentRange: {} }, { insertText: { text: "Nothing is left." } }],
  });
});

test("a spent quota, a lost permission and a lost answer are sentences in the red box", async () => {
  await using person = await openTool("tasks", "create");
  const { page } = person;
  person.expectProblem("429 POST /google-services/call/tasks/create");
  person.expectProblem("401 POST /google-services/call/tasks/create");
  const create = panelOf(page, "Create Task");
  await create.getByLabel("Title").fill("Minutes");
  const alert = create.getByRole("alert");
  const calls = "**/google-services/call/**";
  person.expectProblem("net::ERR_INTERNET_DISCONNECTED");
  await page.route(calls, (route) => route.abort("internetdisconnected"));
  await press(create, "Create task");
  const lost =
    "No answer came, so this may have been done or not. Look at Google before you try again.";
  await alert.filter({ hasText: `Error: ${lost}` }).waitFor();
  await page.unroute(calls);
  await steerGoogle("faults", { kind: "tooMany", times: 1, retryAfter: 90 });
  await press(create, "Create task");
  const limit =
    "Error: Google's limit for your account is reached. Please try again in 90 seconds.";
  await alert.filter({ hasText: limit }).waitFor();
  await steerGoogle("tokens", { expire: true });
  await press(create, "Create task");
  await alert.filter({ hasText: "Google no longer accepts the connection." }).waitFor();
  await create.getByRole("button", { name: "Connect Google" }).waitFor();
  expect(await create.getByLabel("Title").inputValue()).toBe("Minutes");
});
