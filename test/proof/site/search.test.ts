import { expect, test } from "vitest";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";

/** What a person sees and uses of the search. */
function searchOf({ page }: OpenPage) {
  const dialog = page.getByRole("dialog", { name: "Search" });
  return {
    button: page.getByRole("button", { name: "Search" }),
    dialog,
    field: dialog.getByRole("searchbox"),
    results: dialog.getByRole("list", { name: "Results" }).getByRole("link"),
    status: dialog.getByRole("status"),
    failure: dialog.getByRole("alert").getByText("The search could not be loaded."),
  };
}

test.each(["/docs", "/docs/api", "/blog", "/blog/ports-and-firewalls"])(
  "search opens on %s by its button and by Ctrl+K, and closes by its button, by Escape and by a press beside it",
  async (path) => {
    await using person = await openPage();
    const { page } = person;
    const { button, dialog, field } = searchOf(person);
    await person.visit(path);
    await button.click();
    await field.and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await button.and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Control+k");
    await field.and(page.locator(":focus")).waitFor();
    await page.mouse.click(5, 400);
    await dialog.waitFor({ state: "hidden" });
    await page.keyboard.press("Control+k");
    await field.waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    await dialog.waitFor({ state: "hidden" });
  },
);

test("no single key opens the search: speech input and slips of the hand press keys too", async () => {
  await using person = await openPage();
  const { page } = person;
  const { button, dialog } = searchOf(person);
  await person.visit("/docs");
  await button.focus();
  await page.keyboard.type("/k");
  expect(await dialog.isVisible()).toBe(false);
  expect(await button.getAttribute("aria-keyshortcuts")).toBe("Control+K Meta+K");
});

test("the button names the keys, in one line", async () => {
  await using person = await openPage();
  await person.visit("/docs/api");
  const keys = searchOf(person).button.getByText("Ctrl K", { exact: true });
  const lines = await keys.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getClientRects().length;
  });
  expect(lines).toBe(1);
});

test("a press beside the search closes it in browsers that do not do so by themselves, and marking text does not", async () => {
  await using person = await openPage();
  const { page } = person;
  const { button, dialog, field, results } = searchOf(person);
  await person.visit("/docs");
  // As in a browser that does not know the attribute.
  await page.locator("dialog").evaluate((element) => element.removeAttribute("closedby"));
  await button.click();
  await field.fill("turn");
  await results.first().waitFor();
  await field.hover();
  await page.mouse.down();
  await page.mouse.move(5, 400);
  await page.mouse.up();
  expect(await dialog.isVisible()).toBe(true);
  await page.mouse.click(5, 400);
  await dialog.waitFor({ state: "hidden" });
});

test("a result on the same page leads to its heading, and a question is there again on the way back", async () => {
  await using person = await openPage();
  const { page } = person;
  const { button, dialog, field, results } = searchOf(person);
  await person.visit("/docs/api");
  await button.click();
  await field.fill("report usage of tokens");
  await results.filter({ hasText: "Report usage" }).first().click();
  await dialog.waitFor({ state: "hidden" });
  await page.locator("h3:target", { hasText: "Report usage" }).waitFor();
  await button.click();
  await field.fill("caddy certificate");
  const away = results.filter({ hasText: "SSL/TLS" }).first();
  await away.click();
  await person.arrive("/docs/guide");
  await page.goBack();
  await person.arrive("/docs/api");
  await button.click();
  await away.waitFor();
  expect(await field.inputValue()).toBe("caddy certificate");
  // Typing replaces it.
  await page.keyboard.type("redis");
  expect(await field.inputValue()).toBe("redis");
});

test("the words of a question are marked where they are found, in any ending and with a slip", async () => {
  await using person = await openPage();
  const { button, field, results } = searchOf(person);
  await person.visit("/docs");
  await button.click();
  await field.fill("Which certifcates expire?");
  await results.first().waitFor();
  const marked = await results.locator("mark").allInnerTexts();
  expect(marked.map((word) => word.toLowerCase())).toContain("certificate");
});

test("words that no page has lead to all pages and to support", async () => {
  await using person = await openPage();
  const { button, dialog, field, results, status } = searchOf(person);
  await person.visit("/docs/api");
  await button.click();
  await field.fill("xylophone");
  await status.getByText("No page has these words.").waitFor();
  expect(await results.count()).toBe(0);
  await dialog.getByRole("link", { name: "all pages" }).waitFor();
  await dialog.getByRole("link", { name: "ask us" }).click();
  await person.arrive("/support");
});

test("search is loaded when somebody points at its button, and not before", async () => {
  await using person = await openPage();
  const { page } = person;
  const urls: string[] = [];
  page.on("request", (request) => urls.push(request.url()));
  const ofSearch = () => urls.filter((url) => /assets\/.*search/.test(url)).length;
  await person.visit("/docs");
  expect(ofSearch()).toBe(0);
  await searchOf(person).button.hover();
  await expect.poll(ofSearch).toBe(2);
});

test("offline before it was loaded, search says so and is tried again; loaded once, it works offline", async () => {
  await using person = await openPage();
  const { page } = person;
  const { button, dialog, field, results, failure } = searchOf(person);
  await person.visit("/docs");
  await page.context().setOffline(true);
  person.expectProblem("ERR_INTERNET_DISCONNECTED");
  await button.click();
  await failure.waitFor();
  await field.fill("recording");
  await page.context().setOffline(false);
  await dialog.getByRole("button", { name: "Try again" }).click();
  await results.first().waitFor();
  await page.context().setOffline(true);
  await field.fill("firewall");
  await results.filter({ hasText: "Firewall" }).first().waitFor();
  await page.keyboard.press("Escape");
  await button.click();
  await results.filter({ hasText: "Firewall" }).first().waitFor();
});

test("a missing index is reported, and loaded when it is back", async () => {
  await using person = await openPage();
  const { page } = person;
  const { button, dialog, field, results, failure } = searchOf(person);
  await page.route("**/assets/search-index-*", (route) => route.fulfill({ status: 404 }));
  person.expectProblem("404 GET /assets/search-index-");
  await person.visit("/docs");
  await button.click();
  await failure.waitFor();
  await field.fill("redis");
  await page.unroute("**/assets/search-index-*");
  await dialog.getByRole("button", { name: "Try again" }).click();
  await results.first().waitFor();
});

test("who came from a page with React searches in the same way", async () => {
  await using person = await openPage();
  const { page } = person;
  const { button, field, results } = searchOf(person);
  await person.visit("/pricing");
  await page.getByRole("banner").getByRole("link", { name: "Documentation" }).click();
  await person.arrive("/docs");
  await button.click();
  await field.fill("TURN on port 443");
  await results.first().waitFor();
  const first = (await results.first().getAttribute("href")) ?? "";
  await page.keyboard.press("Enter");
  await person.arrive(first.split("#")[0] ?? "");
});

test("without script there is no button, and the overview of all pages is the way", async () => {
  await using person = await openPage({ javaScript: false });
  const { page } = person;
  await person.visit("/docs");
  expect(await searchOf(person).button.count()).toBe(0);
  await page.getByRole("navigation", { name: "All pages" }).waitFor();
});
