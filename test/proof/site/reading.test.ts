import { expect, test } from "vitest";
import { docsGroups, docsPages } from "../../../app/content/reading.ts";
import { openPage } from "../../support/browser/browser.ts";
import { renderedText } from "../../support/browser/page-actions.ts";

const article = "/blog/ports-and-firewalls";
const sentence = "Most calls that fail on a new LiveKit server fail in a firewall.";

test("a text stays through hydration, arrives on navigation, and is there again on the way back", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit(article);
  await page.getByText(sentence).waitFor();
  const related = page.getByRole("navigation", { name: "More articles" });
  await related.getByRole("link", { name: "TURN/TLS" }).click();
  await person.arrive("/blog/turn-tls-on-port-443");
  await page.getByText("There are networks that let out web traffic").waitFor();
  expect(await page.getByText(sentence).count()).toBe(0);
  await page.goBack();
  await person.arrive(article);
  await page.getByText(sentence).waitFor();
  await page.getByRole("link", { name: "All articles" }).click();
  await person.arrive("/blog");
  await page.getByRole("heading", { name: "Blog" }).waitFor();
});

test("the documentation marks where you are and leads through its pages in order", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/docs");
  for (const { label, to } of docsPages) {
    await person.arrive(to);
    const side = page.getByRole("navigation", { name: "Documentation", exact: true });
    const current = side.locator("[aria-current=page]");
    expect(await current.allInnerTexts()).toEqual([label]);
    // The column scrolls by itself, and the page begins with its own name in sight.
    const { y = 0, height = 0 } = (await current.boundingBox()) ?? {};
    const column = await side.boundingBox();
    expect(y + height, label).toBeLessThanOrEqual((column?.y ?? 0) + (column?.height ?? 0));
    expect(y, label).toBeGreaterThanOrEqual(column?.y ?? 0);
    const steps = page.getByRole("navigation", { name: "Documentation, page by page" });
    if (to !== docsPages.at(-1)?.to) await steps.getByRole("link", { name: "Next" }).click();
    else expect(await steps.getByRole("link", { name: "Next" }).count()).toBe(0);
  }
});

test("the overview lists every other page of the documentation by group, with what it is about", async () => {
  await using person = await openPage();
  await person.visit("/docs");
  const all = person.page.getByRole("navigation", { name: "All pages" });
  const links = await all.getByRole("link").all();
  expect(
    await Promise.all(
      links.map(async (link) => ({
        to: await link.getAttribute("href"),
        label: await renderedText(link),
      })),
    ),
  ).toEqual(docsPages.filter(({ to }) => to !== "/docs"));
  for (const { title } of docsGroups) await all.getByText(title, { exact: true }).waitFor();
  const described = await all.getByRole("listitem").locator("p + p, a + p").allInnerTexts();
  expect(described).toHaveLength(docsPages.length - 1);
  expect(described.filter((text) => text.length < 50)).toEqual([]);
});

test("on a phone the pages of the documentation are folded above the text, and lead on", async () => {
  await using person = await openPage({ viewport: { width: 320, height: 640 } });
  const { page } = person;
  await person.visit("/docs/api");
  const heading = await page.getByRole("heading", { level: 1 }).boundingBox();
  expect(heading?.y).toBeLessThan(320);
  await page.getByText("All pages of the documentation").click();
  const pages = page.getByRole("navigation", { name: "Documentation", exact: true });
  await pages.getByRole("link", { name: "Best practices" }).click();
  await person.arrive("/docs/best-practices");
  await page.getByRole("heading", { name: "Best practices", level: 1 }).waitFor();
});

test("the documentation shows the specified sections and the early-access note", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/docs");
  const sections = {
    "Getting Started": [
      "Sign up for early access",
      "Configure domain",
      "Choose cloud provider",
      "Deploy with automated scripts",
    ],
    "Configuration Guide": ["Docker Compose", "SSL/TLS", "TURN", "Firewall", "Ingress/Egress"],
    Maintenance: ["Updating versions", "Monitoring health", "Backups", "Troubleshooting"],
  };
  expect(await page.locator("article h2").allInnerTexts()).toEqual(Object.keys(sections));
  expect(await page.locator("article h3").allInnerTexts()).toEqual(Object.values(sections).flat());
  await page.getByRole("note").getByText("LiveKit Deploy is in early access.").waitFor();
});

test("wide tables are scrolled by keyboard, code wraps, and no page of the documentation scrolls sideways", async () => {
  await using person = await openPage({ viewport: { width: 320, height: 800 } });
  const { page } = person;
  await person.visit("/docs/getting-started");
  const table = page.getByRole("region", { name: "Regions by provider" });
  await table.focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => (document.activeElement?.scrollLeft ?? 0) > 0);
  for (const { to } of docsPages) {
    await person.visit(to);
    const tooWide = await page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll("pre")]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map((element) => element.textContent?.slice(0, 80)),
    );
    expect(tooWide, to).toEqual([]);
  }
});
