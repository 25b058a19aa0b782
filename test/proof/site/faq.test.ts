import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";
import { scriptVariants, variants } from "../../support/run/variants.ts";

const ways = variants(scriptVariants);

/** The six pairs in the specification's order: a question, and what its answer must say. */
const pairs: readonly (readonly [question: string, facts: readonly string[]])[] = [
  ["Which clouds are supported?", ["AWS, Azure, Google Cloud, Digital Ocean"]],
  ["How is SSL handled?", ["Automatically", "free certificate authority", "reverse proxy"]],
  [
    "What does a deployment contain?",
    [
      "Docker Compose",
      "Automatic SSL",
      "TURN",
      "Firewall rules",
      "systemd",
      "Optional Ingress/Egress",
    ],
  ],
  ["How do I update?", ["Docker images", "specific versions", "the 'latest' tag"]],
  [
    "What are the minimum requirements?",
    ["A domain with DNS access", "VM access", "Basic knowledge of cloud infrastructure"],
  ],
  ["Is technical support available?", ["technical support is available"]],
];

function pair(page: Page, question: string) {
  return page.locator("details", { has: page.getByRole("heading", { name: question }) });
}

const isOpen = (page: Page, question: string) =>
  pair(page, question).evaluate((details: HTMLDetailsElement) => details.open);

test.each(ways())(
  "the page has its title and six pairs, the first one open, $script",
  async (way) => {
    await using person = await openPage(way);
    const { page } = person;
    await person.visit("/faq");
    await page.getByRole("heading", { name: "Frequently asked questions", level: 1 }).waitFor();
    const questions = await page.locator("main summary").allInnerTexts();
    expect(questions.map((question) => question.trim())).toEqual(pairs.map(([name]) => name));
    for (const [position, [question, facts]] of pairs.entries()) {
      expect(await isOpen(page, question)).toBe(position === 0);
      if (position > 0) await pair(page, question).locator("summary").click();
      for (const fact of facts) await pair(page, question).getByText(fact).first().waitFor();
    }
  },
);

test("questions open and close by keyboard, each for itself", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/faq");
  await pair(page, "Which clouds are supported?").locator("summary").focus();
  await page.keyboard.press("Enter");
  expect(await isOpen(page, "Which clouds are supported?")).toBe(false);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  expect(await isOpen(page, "How is SSL handled?")).toBe(true);
  await page.keyboard.press("Tab");
  await page.getByRole("link", { name: "#ssl" }).and(page.locator(":focus")).waitFor();
});

test.each(ways())("a link to an answer opens it, question in view, $script", async (way) => {
  await using person = await openPage({ ...way, viewport: { width: 320, height: 640 } });
  const { page } = person;
  await person.visit("/faq#technical-support");
  const question = page.getByRole("heading", { name: "Is technical support available?" });
  await page.getByText("technical support is available").waitFor();
  await question.waitFor();
  const top = async () => (await question.boundingBox())?.y;
  const header = await page.getByRole("banner").boundingBox();
  await expect.poll(top).toBeGreaterThanOrEqual(header?.height ?? Number.NaN);
  await expect.poll(top).toBeLessThan(640);
});

test("every answer has a link to itself, and following one opens another answer", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/faq#updates");
  await pair(page, "How do I update?").getByRole("link", { name: "#updates" }).waitFor();
  await page.evaluate(() => {
    location.hash = "ssl";
  });
  await page.getByText("Caddy, the reverse proxy").waitFor();
  expect(new Set(await page.locator("main details [id]").evaluateAll(ids)).size).toBe(6);
});

const ids = (elements: Element[]) => elements.map(({ id }) => id);
