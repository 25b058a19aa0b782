import { expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";

const address = "/docs/sizing";

test("what is typed into the calculator changes what it says, which is announced", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit(address);
  const answer = page.getByRole("status").filter({ hasText: "One room sends" });
  await answer.getByText("One room sends 8,028 packets a second: 0.3 vCPU.").waitFor();
  await answer.getByText("The traffic costs about $1,088 a month").waitFor();
  await page.getByLabel("Rooms at once").fill("100");
  await answer.getByText("All rooms send 802,777: 35 vCPU. They fit on 5 × Large.").waitFor();
  await page.getByLabel("Provider").selectOption("Digital Ocean");
  await answer.getByText("The traffic costs about $2,288 a month").waitFor();
  await page.getByLabel("People in a room").fill("");
  await answer.getByText("One room sends – packets a second").waitFor();
});

test("what was typed is in the address, and stands there for anyone who opens it", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit(address);
  await page.getByLabel("People in a room").fill("31");
  const result = "One room sends 25,096 packets a second";
  await page.getByText(result).waitFor();
  await page.getByLabel("Provider").selectOption("Google Cloud");
  const shared = page.url();
  await using other = await openPage();
  await other.page.goto(shared);
  await other.page.getByText(result).waitFor();
  expect(await other.page.getByLabel("People in a room").inputValue()).toBe("31");
  expect(await other.page.getByLabel("Provider").inputValue()).toBe("google");
  await page.reload();
  await page.getByText(result).waitFor();
  await page.goto(`${address}?people=many&provider=moon&unknown=1`);
  expect(await page.getByLabel("Provider").inputValue()).toBe("aws");
  await page.getByText("One room sends – packets a second").waitFor();
});

test("the address changes when a field is left, and not with each letter, which browsers limit", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.addInitScript(() => {
    const replaceState = history.replaceState.bind(history);
    history.replaceState = (...change) => {
      performance.mark("new address");
      replaceState(...change);
    };
  });
  const changes = () => page.evaluate(() => performance.getEntriesByName("new address").length);
  await person.visit(address);
  const people = page.getByLabel("People in a room");
  await people.fill("");
  await people.pressSequentially("31");
  // The figures are new at once.
  await page.getByText("One room sends 25,096 packets a second").waitFor();
  expect(await changes()).toBe(0);
  await people.press("Tab");
  expect(await changes()).toBe(1);
  expect(new URL(page.url()).searchParams.get("people")).toBe("31");
});

test("a press on a heading leaves the page and what was typed as they are", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit(address);
  let isLoadedAnew = false;
  page.on("request", (request) => {
    isLoadedAnew ||= request.isNavigationRequest();
  });
  await page.getByLabel("Rooms at once").fill("100");
  await page.getByText("They fit on 5 × Large.").waitFor();
  await page.getByLabel("Hours in a month").fill("50");
  await page.getByRole("main").locator("h2 a[href^='#']").first().click();
  await page.locator("h2:target").waitFor();
  // A page that begins to load itself anew has asked for itself before it draws the second frame.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  expect(isLoadedAnew).toBe(false);
  expect(await page.getByLabel("Hours in a month").inputValue()).toBe("50");
  expect(new URL(page.url()).searchParams.get("hours")).toBe("50");
});

test("a visitor who comes from a page with React finds the calculator working", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/pricing");
  await page
    .getByRole("contentinfo")
    .getByRole("link", { name: "Documentation", exact: true })
    .click();
  await person.arrive("/docs");
  const side = page.getByRole("navigation", { name: "Documentation", exact: true });
  await side.getByRole("link", { name: "Sizing" }).click();
  await person.arrive(address);
  await page.getByLabel("Rooms at once").fill("100");
  await page.getByText("They fit on 5 × Large.").waitFor();
});

test("the calculator says what a first plan takes at once, and is loaded when somebody goes to use it", async () => {
  await using person = await openPage();
  const { page } = person;
  const urls: string[] = [];
  page.on("request", (request) => urls.push(request.url()));
  const loaded = () => urls.filter((url) => url.includes("sizing-calculator")).length;
  await person.visit(address);
  await page.getByText("One room sends 8,028 packets a second").waitFor();
  expect(loaded()).toBe(0);
  await page.getByLabel("Rooms at once").focus();
  await expect.poll(loaded).toBe(1);
});

test("a calculator that could not be loaded says so in place of figures, and works when it can be", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.route("**/assets/*sizing-calculator*", (route) => route.fulfill({ status: 404 }));
  person.expectProblem("404 GET /assets/page-script-sizing-calculator");
  await person.visit(address);
  await page.getByLabel("Rooms at once").focus();
  await page.getByText("One room sends").waitFor({ state: "hidden" });
  await page.getByRole("alert").getByText("The calculator could not be loaded.").waitFor();
  await page.unroute("**/assets/*sizing-calculator*");
  await page.getByLabel("Rooms at once").fill("100");
  await page.getByLabel("Hours in a month").focus();
  await page.getByText("All rooms send 802,777").waitFor();
  expect(await page.getByText("The calculator could not be loaded.").isVisible()).toBe(false);
});

test("without script there are examples and no form that does nothing", async () => {
  await using person = await openPage({ javaScript: false });
  await person.visit(address);
  const { page } = person;
  await page.getByRole("cell", { name: "5 meetings of 10, 9 pictures at 600 kbit/s" }).waitFor();
  expect(await page.getByLabel("People in a room").isVisible()).toBe(false);
});

test("Enter in a field leaves what is typed where it is", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit(`${address}?rooms=7`);
  await page.getByLabel("Rooms at once").press("Enter");
  expect(await page.getByLabel("Rooms at once").inputValue()).toBe("7");
  expect(new URL(page.url()).search).toBe("?rooms=7");
});
