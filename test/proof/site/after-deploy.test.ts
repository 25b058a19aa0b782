import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";

/** The scripts that the open page has not loaded yet are gone, as after a deploy, until a new document is loaded. */
async function deploy(page: Page): Promise<void> {
  let isOpenPage = true;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) isOpenPage = false;
  });
  await page.route("**/assets/*.js", (route) =>
    isOpenPage ? route.fulfill({ status: 404, body: "Not found" }) : route.fallback(),
  );
  await page.route("**/__manifest?*", (route) =>
    isOpenPage
      ? route.fulfill({ status: 204, headers: { "x-remix-reload-document": "true" } })
      : route.fallback(),
  );
}

/** What the browser and React Router say of files that are gone. */
function expectMissingFiles(person: OpenPage): void {
  person.expectProblem("404 GET /assets/");
  person.expectProblem("Error loading route module");
  person.expectProblem("Failed to fetch dynamically imported module");
}

const headings = { Services: "Services", FAQ: "Frequently asked questions" } as const;

test.each(["Services", "FAQ"] as const)(
  "a page with React that was open during a deploy leads to %s by one press",
  async (name) => {
    await using person = await openPage();
    const { page } = person;
    const bar = page.getByRole("navigation", { name: "Main" });
    const heading = page.getByRole("heading", { name: headings[name], level: 1 });
    await person.visit("/pricing");
    await deploy(page);
    expectMissingFiles(person);
    await bar.getByRole("link", { name }).click();
    await heading.waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "Choose your plan", level: 1 }).waitFor();
    await page.goForward();
    await heading.waitFor();
  },
);

test("a link that is pointed at after a deploy leaves the page alone, and leads on when it is pressed", async () => {
  await using person = await openPage();
  const { page } = person;
  const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "FAQ" });
  await person.visit("/pricing");
  await deploy(page);
  expectMissingFiles(person);
  await page.evaluate(() => Object.assign(window, { isOpenDocument: true }));
  const reported = page.waitForEvent("console", {
    predicate: (message) => message.text().includes("reloading page"),
  });
  await link.hover();
  await reported;
  await page.evaluate(() => new Promise(requestAnimationFrame));
  expect(await page.evaluate(() => "isOpenDocument" in window)).toBe(true);
  await link.click();
  await page.getByRole("heading", { name: headings.FAQ, level: 1 }).waitFor();
});

// The page of questions has no React: its link leaves the document at once.
test("a next page that was fetched before a deploy is shown after it", async () => {
  await using person = await openPage();
  const { page } = person;
  const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", {
    name: "Documentation",
  });
  await person.visit("/pricing");
  const fetched = page.waitForResponse("**/docs.data*");
  await link.hover();
  await fetched;
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLLinkElement>("link[rel=modulepreload]")].every(
      ({ href }) => performance.getEntriesByName(href).length > 0,
    ),
  );
  await deploy(page);
  await link.click();
  await page.getByRole("heading", { name: "Documentation", level: 1 }).waitFor();
});

/** The part of a page that has a file of its own, and what fails without it. */
const lazyParts = [
  {
    part: "search",
    path: "/docs",
    use: (page: Page) => page.getByRole("button", { name: "Search" }).click(),
    field: (page: Page) => page.getByRole("searchbox"),
    typed: "recording",
    works: (page: Page) => page.getByRole("list", { name: "Results" }).getByRole("link").first(),
  },
  {
    part: "calculator",
    path: "/docs/sizing",
    use: (page: Page) => page.getByLabel("Rooms at once").focus(),
    field: (page: Page) => page.getByLabel("Rooms at once"),
    typed: "100",
    works: (page: Page) => page.getByText("All rooms send 802,777"),
  },
];

test.each(lazyParts)(
  "the $part of a page that was open during a deploy stays where it is and says what to do, which helps",
  async ({ part, path, use, field, typed, works }) => {
    await using person = await openPage();
    const { page } = person;
    await person.visit(path);
    await deploy(page);
    person.expectProblem(`404 GET /assets/page-script-${part === "search" ? "search" : "sizing"}`);
    await use(page);
    await page.getByRole("alert").getByText("load the page again").waitFor();
    await field(page).fill(typed);
    expect(await field(page).inputValue()).toBe(typed);
    expect(await page.getByText("One room sends").isVisible()).toBe(false);
    await page.reload();
    await use(page);
    await field(page).fill(typed);
    await works(page).waitFor();
  },
);

test("the home page that was open during a deploy keeps the domain and says what to do", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/");
  await deploy(page);
  const domain = page.getByLabel("Your domain");
  await domain.fill("rtc.mycompany.com");
  person.expectProblem("404 GET /assets/page-script-show-domain-files");
  await domain.press("Enter");
  await page.getByRole("alert").getByText("Load the page again").waitFor();
  expect(await domain.inputValue()).toBe("rtc.mycompany.com");
});
