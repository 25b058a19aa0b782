import { beforeEach, expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";
import { openAccountMenu } from "../../support/browser/page-actions.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

beforeEach(resetFakes);

const email = "customer.one@example.com";

const consolePages = [
  "/dashboard",
  "/dashboard/deployments",
  "/dashboard/deployments/new",
  "/dashboard/models",
  "/dashboard/usage",
  "/dashboard/billing",
  "/dashboard/plan",
  "/dashboard/support",
  "/dashboard/account",
];

test("the console has a navigation of its own, and neither the site's menu nor its foot", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.signIn(email);
  for (const path of consolePages) {
    await person.visit(path);
    expect(await page.getByRole("navigation", { name: "Main" }).count()).toBe(0);
    expect(await page.getByRole("contentinfo").count()).toBe(0);
    expect(await page.getByRole("banner").count()).toBe(1);
    expect(await page.getByRole("main").count()).toBe(1);
  }
  const navigation = page.getByRole("navigation", { name: "Console" });
  expect(await navigation.getByRole("link").allInnerTexts()).toEqual([
    "Overview",
    "Deployments",
    "Incidents",
    "Alerts",
    "Billing",
    "Members",
    "Settings",
    "Models",
    "Usage",
    "Support",
    "Account",
    "Site and docs",
  ]);
  await page.getByRole("banner").getByRole("link", { name: "LiveKit Deploy" }).click();
  await person.arrive("/dashboard");
  await navigation.getByRole("link", { name: "Site and docs" }).click();
  await person.arrive("/docs");
  await page.getByRole("contentinfo").waitFor();
  await page.goBack();
  await person.arrive("/dashboard");
  expect(await page.getByRole("contentinfo").count()).toBe(0);
});

test("the navigation marks where somebody is, below a page of it too", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.signIn(email);
  const marked = page
    .getByRole("navigation", { name: "Console" })
    .locator("[aria-current]:not([aria-current=false])");
  for (const [path, name, current] of [
    ["/dashboard", "Overview", "page"],
    ["/dashboard/deployments/new", "Deployments", "true"],
    ["/dashboard/plan", "Billing", "true"],
    ["/dashboard/account", "Account", "page"],
  ] as const) {
    await person.visit(path);
    expect(await marked.allInnerTexts()).toEqual([name]);
    expect(await marked.getAttribute("aria-current")).toBe(current);
  }
});

test("breadcrumbs name the way to a page of a deployment, and lead back along it", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.signIn(email);
  const deploymentPath = `/dashboard/deployments/${await storeDeployment(email, fullOptions())}`;
  await person.visit(`${deploymentPath}/versions`);
  const crumbs = page.getByRole("navigation", { name: "Breadcrumbs" }).getByRole("link");
  expect(await crumbs.allInnerTexts()).toEqual(["Deployments", "Production", "Versions"]);
  expect(await crumbs.last().getAttribute("aria-current")).toBe("page");
  await crumbs.filter({ hasText: "Production" }).click();
  await person.arrive(deploymentPath);
  await page.getByRole("heading", { level: 1, name: "Production" }).waitFor();
  expect(await crumbs.allInnerTexts()).toEqual(["Deployments", "Production"]);
  await crumbs.filter({ hasText: "Deployments" }).click();
  await person.arrive("/dashboard/deployments");
  expect(await crumbs.count()).toBe(0);
});

test("at 320 pixels the navigation is one line, the current entry is in sight, and nothing scrolls sideways", async () => {
  await using person = await openPage({ viewport: { width: 320, height: 640 } });
  const { page } = person;
  await person.signIn(email);
  for (const path of consolePages) {
    await person.visit(path);
    const { width } = (await page.locator("html").boundingBox()) ?? {};
    expect(width).toBeLessThanOrEqual(320);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    const navigation = page.getByRole("navigation", { name: "Console" });
    const lines = await navigation
      .getByRole("link")
      .evaluateAll((links) => [...new Set(links.map((link) => link.getBoundingClientRect().y))]);
    expect(lines).toHaveLength(1);
    const current = await navigation.locator("[aria-current]").boundingBox();
    expect(current?.x).toBeGreaterThanOrEqual(0);
    expect((current?.x ?? 0) + (current?.width ?? 320)).toBeLessThanOrEqual(320);
  }
  await openAccountMenu(page);
  const out = page.getByRole("button", { name: "Sign out", exact: true });
  const box = await out.boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 320)).toBeLessThanOrEqual(320);
  // One line of text, not two.
  expect(box?.height).toBeLessThan(60);
});

test("without script the navigation leads on and the menu of the account opens, without what needs script", async () => {
  await using person = await openPage({ javaScript: false });
  const { page } = person;
  await person.signIn(email);
  await person.visit("/dashboard");
  await page
    .getByRole("navigation", { name: "Console" })
    .getByRole("link", { name: "Deployments" })
    .click();
  await person.arrive("/dashboard/deployments");
  await openAccountMenu(page);
  await page.getByRole("button", { name: "Sign out", exact: true }).waitFor();
  expect(await page.getByRole("button", { name: "Dark theme" }).isVisible()).toBe(false);
  expect(await page.getByRole("button", { name: "Light theme" }).isVisible()).toBe(false);
});

test("an address of the console that does not exist says so within the console, and leads to what does", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.signIn(email);
  for (const [path, way, to] of [
    ["/dashboard/nowhere/at/all", "Overview", "/dashboard"],
    ["/dashboard/deployments/nowhere", "Your deployments", "/dashboard/deployments"],
  ] as const) {
    person.expectProblem(`404 GET ${path}`);
    await person.visit(path);
    await page.getByRole("heading", { name: "This page is not here" }).waitFor();
    await page.getByRole("navigation", { name: "Console" }).waitFor();
    expect(await page.getByRole("contentinfo").count()).toBe(0);
    expect(await page.getByRole("link", { name: "Try again" }).count()).toBe(0);
    await page.getByRole("main").getByRole("link", { name: way }).click();
    await person.arrive(to);
  }
});
