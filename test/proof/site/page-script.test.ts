import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { siteUrl } from "../../support/site/own-site.ts";

const isDark = (page: Page) =>
  page.evaluate(() => document.documentElement.classList.contains("dark"));

/** Whether React runs on the page; without it every step is a new document. */
const hasReact = (page: Page) =>
  page.evaluate(() => Object.keys(document).some((key) => key.startsWith("__react")));

const phone = { width: 320, height: 640 };

test.each([
  ["/docs/getting-started", false],
  ["/faq", false],
  ["/pricing", true],
])("on %s the theme is toggled, kept, and the same in another tab", async (path, react) => {
  await using person = await openPage();
  const { page } = person;
  await person.visit(path);
  expect(await hasReact(page)).toBe(react);
  const other = await page.context().newPage();
  await other.goto("/support");
  await page.getByRole("button", { name: "Toggle dark mode" }).click();
  expect(await isDark(page)).toBe(true);
  await other.waitForFunction(() => document.documentElement.classList.contains("dark"));
  await page.reload();
  expect(await isDark(page)).toBe(true);
});

test("a browser that forbids to copy says what to do", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.addInitScript(() => {
    const writeText = () => Promise.reject(new DOMException("No", "NotAllowedError"));
    Object.defineProperty(navigator, "clipboard", { value: { writeText } });
  });
  await person.visit("/docs/getting-started");
  await page.getByRole("button", { name: "Copy", exact: true }).first().click();
  await page.getByRole("button", { name: "Not allowed: mark the text and copy it" }).waitFor();
});

test("without script there are no buttons that would do nothing", async () => {
  await using person = await openPage({ javaScript: false });
  await person.visit("/docs/getting-started");
  expect(await person.page.getByRole("button").count()).toBe(0);
});

test.each(["/docs", "/pricing"])(
  "the menu of a phone on %s closes by a press beside it",
  async (path) => {
    await using person = await openPage({ viewport: phone });
    const { page } = person;
    await person.visit(path);
    const pricing = page.getByRole("banner").getByRole("link", { name: "Pricing" });
    const menu = page.locator("summary[aria-label=Menu]");
    await menu.click();
    await pricing.waitFor();
    await page.keyboard.press("Escape");
    await pricing.waitFor({ state: "hidden" });
    await menu.and(page.locator(":focus")).waitFor();
    await menu.click();
    await pricing.waitFor();
    await page.mouse.click(phone.width / 2, phone.height - 20);
    await pricing.waitFor({ state: "hidden" });
  },
);

test("an address opens the answer that it names, and so does the next one", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/faq#ssl");
  await page.getByText("Caddy, the reverse proxy").waitFor();
  await page.evaluate(() => {
    location.hash = "updates";
  });
  await page.getByText("Everything runs from Docker images").waitFor();
});

test.each(["/docs", "/pricing"])(
  "%s, kept whole by the browser, shows what was chosen since it was left",
  async (path) => {
    await using person = await openPage();
    const { page } = person;
    await person.visit(path);
    expect(await isDark(page)).toBe(false);
    await person.signIn();
    // No page hears of what it stored itself, as a page that is kept hears of nothing. Playwright's browser keeps none.
    await page.evaluate(() => {
      localStorage.setItem("darkMode", "true");
      dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    });
    expect(await isDark(page)).toBe(true);
    await page.getByRole("banner").getByRole("link", { name: "Dashboard" }).waitFor();
  },
);

test("pointing at a link of a reading page fetches the next page, and never a private one", async () => {
  await using person = await openPage();
  const { page } = person;
  const fetched: string[] = [];
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Preload.enable");
  devtools.on("Preload.prefetchStatusUpdated", ({ status, prefetchUrl }) => {
    if (status === "Ready") fetched.push(prefetchUrl.replace(siteUrl, ""));
  });
  await person.visit("/support");
  const main = page.getByRole("main");
  const banner = page.getByRole("banner");
  // Chromium takes a press at once for the wish to go there; released elsewhere it is no click.
  await banner.getByRole("link", { name: "Early Access" }).hover();
  await page.mouse.down();
  await main.getByRole("heading", { level: 1 }).hover();
  await page.mouse.up();
  await main.getByRole("link", { name: "Start chat" }).hover();
  await expect.poll(() => fetched).toEqual(["/contact?topic=support"]);
  await banner.getByRole("link", { name: "Pricing" }).hover();
  await expect.poll(() => fetched).toEqual(["/contact?topic=support", "/pricing"]);
});

/** The file of the page script is gone, as for a page from before a deploy. */
async function losePageScript({ page, expectProblem }: OpenPage): Promise<void> {
  await page.route("**/assets/page-script-*.js", (route) => route.fulfill({ status: 404 }));
  expectProblem("404 GET /assets/page-script-");
}

test.each(["/", "/docs/getting-started", "/docs/sizing", "/blog"])(
  "%s, whose script is gone, shows no button and no field that would do nothing",
  async (path) => {
    await using person = await openPage();
    const { page } = person;
    await losePageScript(person);
    await person.visit(path);
    expect(await page.getByRole("button").allInnerTexts()).toEqual([]);
    expect(await page.getByRole("textbox").count()).toBe(0);
    expect(await page.getByRole("spinbutton").count()).toBe(0);
  },
);

test("a page whose script is gone has the theme that was chosen, and not the system's", async () => {
  await using person = await openPage({ theme: "light", systemTheme: "dark" });
  const { page } = person;
  await losePageScript(person);
  await person.visit("/docs/getting-started");
  const paper = page.locator("body");
  const colour = () => paper.evaluate((body) => getComputedStyle(body).backgroundColor);
  const chosen = await colour();
  await page.evaluate(() => localStorage.setItem("darkMode", "true"));
  await page.reload();
  expect(chosen).toBe("oklch(0.985 0.004 110)");
  expect(await colour()).toBe("oklch(0.178 0.012 168)");
});
