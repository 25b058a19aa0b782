import { beforeEach, expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";
import { renderedText } from "../../support/browser/page-actions.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

const email = "customer.one@example.com";

beforeEach(resetFakes);

test("the deployment page has a navigation of its own, which stays in sight", async () => {
  await using person = await openPage({ reducedMotion: true });
  const { page } = person;
  await person.signIn();
  await person.visit(`/dashboard/deployments/${await storeDeployment(email, fullOptions())}`);
  const navigation = page.getByRole("navigation", { name: "On this page" });
  expect(await navigation.getByRole("link").allInnerTexts()).toEqual([
    "Set it up",
    "Servers",
    "Files",
    "Ports",
    "Versions",
  ]);
  await navigation.getByRole("link", { name: "Ports" }).press("Enter");
  const title = page.getByRole("heading", { level: 2, name: "Ports" });
  await title.waitFor();
  const [bar, heading] = [await navigation.boundingBox(), await title.boundingBox()];
  if (!bar || !heading) throw new Error("Nothing is shown");
  // The console's header scrolls away, so nothing may show above the bar.
  expect(bar.y).toBe(0);
  expect(heading.y).toBeGreaterThanOrEqual(bar.y + bar.height);
  expect(heading.y).toBeLessThan(800);
});

test("a customer who is stuck at a deployment's steps asks about this deployment", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.signIn();
  await storeDeployment(email, fullOptions(), "Staging");
  const id = await storeDeployment(email, fullOptions());
  await person.visit(`/dashboard/deployments/${id}`);
  await page
    .getByRole("region", { name: "Set it up" })
    .getByRole("link", { name: "Ask us" })
    .click();
  await person.arrive("/dashboard/support");
  const chosen = page.getByLabel("About a deployment").locator("option:checked");
  expect(await renderedText(chosen)).toContain("Production");
});

test("at 320 px each record has its labels, and no part of a name is cut", async () => {
  await using person = await openPage({ viewport: { width: 320, height: 800 } });
  const { page } = person;
  await person.signIn();
  const id = await storeDeployment(email, {
    ...fullOptions(),
    domain: "conversations.production.mycompany.com",
  });
  await person.visit(`/dashboard/deployments/${id}`);
  await page.getByText("Records to set", { exact: true }).click();
  const row = page.getByRole("table", { name: "DNS records to set" }).locator("tbody tr").first();
  for (const label of ["Type", "Name", "Value", "Now"]) {
    await row.getByText(label, { exact: true }).waitFor();
  }
  const linesOfEachPart = await page.locator("tbody th .font-mono").evaluateAll((names) =>
    names.flatMap((name) => {
      const texts = document.createTreeWalker(name, NodeFilter.SHOW_TEXT);
      const lines: number[] = [];
      while (texts.nextNode()) {
        const range = document.createRange();
        range.selectNodeContents(texts.currentNode);
        lines.push(range.getClientRects().length);
      }
      return lines;
    }),
  );
  expect(linesOfEachPart.length).toBeGreaterThan(4);
  expect(new Set(linesOfEachPart)).toEqual(new Set([1]));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});
