import { expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";
import { renderedText } from "../../support/browser/page-actions.ts";

const navigation = [
  ["Documentation", "/docs"],
  ["Services", "/services"],
  ["Pricing", "/pricing"],
  ["Spotlight", "/spotlight"],
  ["FAQ", "/faq"],
  ["Support", "/support"],
] as const;

const footer = {
  Solutions: ["/cloud-architecture", "/services", "/google-services", "/openai-config"],
  Support: ["/docs", "/docs/api", "/docs/getting-started", "/docs/best-practices"],
  Company: ["/about", "/blog", "/careers", "/contact"],
  Legal: ["/privacy", "/terms", "/cookies", "/license"],
};

test("the navigation bar leads to every section and marks the current one", async () => {
  await using person = await openPage();
  const { page } = person;
  for (const [label, path] of navigation) {
    await person.visit(path);
    const bar = page.getByRole("navigation", { name: "Main" }).filter({ visible: true });
    const links = await bar.getByRole("link").all();
    expect(
      await Promise.all(
        links.map(async (link) => [await renderedText(link), await link.getAttribute("href")]),
      ),
    ).toEqual(navigation);
    const current = bar.locator("[aria-current=page]");
    expect(await renderedText(current)).toBe(label);
  }
  await page.getByRole("banner").getByRole("link", { name: "LiveKit Deploy" }).click();
  await person.arrive("/");
  await page.getByRole("banner").getByRole("link", { name: "Early Access" }).click();
  await person.arrive("/signup");
});

test("the bar stays in place and the page starts below it", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/docs");
  const bar = await page.getByRole("banner").boundingBox();
  const heading = await page.getByRole("heading", { level: 1 }).boundingBox();
  expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeLessThan(heading?.y ?? 0);
  await page.mouse.wheel(0, 900);
  await page.waitForFunction(() => scrollY > 300);
  expect((await page.getByRole("banner").boundingBox())?.y).toBe(0);
});

test("the footer has four groups, social links in new tabs, two buttons and the years", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/");
  const foot = page.getByRole("contentinfo");
  for (const [group, paths] of Object.entries(footer)) {
    const links = await foot.getByRole("navigation", { name: group }).getByRole("link").all();
    expect(await Promise.all(links.map((link) => link.getAttribute("href")))).toEqual(paths);
  }
  const social = await foot.getByRole("link", { name: "opens in a new tab" }).all();
  expect(social).toHaveLength(3);
  for (const link of social) {
    expect(await link.getAttribute("target")).toBe("_blank");
    expect(await link.getAttribute("rel")).toContain("noreferrer");
  }
  await foot.getByText("Not affiliated with LiveKit, Inc.").waitFor();
  const community = foot.getByRole("list", { name: "LiveKit's own community" });
  expect(await community.getByRole("link").count()).toBe(3);
  const early = foot.getByRole("link", { name: "Get Early Access" });
  expect(await early.getAttribute("href")).toBe("/signup");
  const docs = foot.getByRole("link", { name: "View Documentation" });
  expect(await docs.getAttribute("href")).toBe("/docs");
  await foot.getByText(`© 2023–${new Date().getUTCFullYear()} LiveKit Deploy`).waitFor();
});

test.each([true, false])(
  "the mobile menu opens, leads on and closes (script: %s)",
  async (script) => {
    await using person = await openPage({
      javaScript: script,
      viewport: { width: 320, height: 640 },
    });
    const { page } = person;
    await person.visit("/");
    const menu = page.locator("summary[aria-label=Menu]");
    const pricing = page.getByRole("link", { name: "Pricing" }).filter({ visible: true });
    expect(await pricing.count()).toBe(0);
    await menu.focus();
    await page.keyboard.press("Enter");
    await pricing.waitFor();
    if (script) {
      await page.keyboard.press("Escape");
      await pricing.waitFor({ state: "hidden" });
      await menu.and(page.locator(":focus")).waitFor();
      await page.keyboard.press("Enter");
    }
    await pricing.click();
    await person.arrive("/pricing");
    await page.getByRole("heading", { name: "Choose your plan" }).waitFor();
    await pricing.waitFor({ state: "hidden" });
  },
);

test("an unknown address says that there is no page, with the status and ways on", async () => {
  await using person = await openPage();
  const { page } = person;
  person.expectProblem("404 GET /no/such/page");
  await person.visit("/no/such/page");
  const main = page.getByRole("main");
  await main.getByRole("heading", { name: "There is no page at this address" }).waitFor();
  await main.getByText("Unexpected Application Error!", { exact: true }).waitFor();
  await main.getByText("404", { exact: true }).waitFor();
  expect(await page.title()).toBe("404: There is no page at this address · LiveKit Deploy");
  const documentation = main.getByRole("link", { name: "View Documentation" });
  expect(await documentation.getAttribute("href")).toBe("/docs");
  await main.getByRole("link", { name: "Back to home" }).click();
  await person.arrive("/");
});

test("a fault shows an id that stays when scripts run, and the next page has none of it", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/cloud-architecture");
  person.expectProblem("405 POST /cloud-architecture");
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === "POST"),
    page.evaluate(() => {
      const form = document.createElement("form");
      form.method = "post";
      document.body.insertAdjacentElement("beforeend", form);
      form.submit();
    }),
  ]);
  await page.getByRole("heading", { name: "Unexpected Application Error!" }).waitFor();
  const requestId = await answer.headerValue("x-request-id");
  const quoted = page.getByText(`Quote this id when you write to us: ${requestId}`);
  await quoted.waitFor();
  await page.waitForLoadState("networkidle");
  expect(await quoted.count()).toBe(1);
  await page.getByRole("main").getByRole("link", { name: "Back to home" }).click();
  await person.arrive("/");
  expect(await page.getByText("Quote this id").count()).toBe(0);
});
