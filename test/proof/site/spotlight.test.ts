import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";
import { closingActions } from "../../support/browser/closing-actions.ts";
import { renderedText } from "../../support/browser/page-actions.ts";
import { scriptVariants, variants } from "../../support/run/variants.ts";

const ways = variants(scriptVariants);

const customers = [
  ["VirtualClass Pro", "Education"],
  ["TeleMed Connect", "Healthcare"],
  ["GlobalMeet", "Enterprise"],
  ["GameStream Live", "Gaming"],
  ["EventConnect", "Events"],
  ["SecureChat Pro", "Security"],
] as const;

function card(page: Page, name: string) {
  return page.getByRole("main").getByRole("listitem", { name });
}

const learnMore = (page: Page, name: string) =>
  card(page, name).getByRole("button", { name: "Learn more" });

/** What every story must show, whichever way it was opened. */
async function seeStory(page: Page, name: string, industry: string) {
  const story = page.getByRole("dialog", { name });
  await story.getByText(industry, { exact: true }).waitFor();
  await story.getByRole("img").waitFor();
  const metrics = await story.locator("dt").allInnerTexts();
  expect(metrics).toEqual(["Active Users", "Uptime", "Latency"]);
  const [users, uptime, latency] = await story.locator("dd").allInnerTexts();
  expect(users).toMatch(/^[\d,]+$/);
  expect(uptime).toMatch(/^\d\d\.\d+%$/);
  expect(latency).toMatch(/^\d+ ms$/);
  await story.getByRole("heading", { name: "Overview" }).waitFor();
  expect(await renderedText(story.locator("blockquote"))).not.toBe("");
  expect(await renderedText(story.locator("figcaption"))).toMatch(/^[A-Z].+, .+ team$/);
  expect(await renderedText(story.locator("figcaption"))).not.toContain(name);
  await story.getByText("illustrative examples").waitFor();
}

test.each(ways())("six cards, each leading to its story, $script", async (way) => {
  await using person = await openPage(way);
  const { page } = person;
  await person.visit("/spotlight");
  await page.getByRole("heading", { name: "Customer Success Stories", level: 1 }).waitFor();
  await page.getByText("illustrative examples").waitFor();
  const names = await page.getByRole("main").getByRole("heading", { level: 2 }).allInnerTexts();
  expect(names).toEqual(customers.map(([name]) => name));
  for (const [name, industry] of customers) {
    await card(page, name).getByText(industry, { exact: true }).waitFor();
    await card(page, name).getByRole("img").waitFor();
    await learnMore(page, name).click();
    await seeStory(page, name, industry);
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toBe("/spotlight");
  }
});

test("a press anywhere on a card opens its story", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/spotlight");
  await card(page, "GlobalMeet").click({ position: { x: 20, y: 20 } });
  await seeStory(page, "GlobalMeet", "Enterprise");
  expect(new URL(page.url()).search).toBe("?story=globalmeet");
});

test.each(closingActions)("closing by %s leads back to the card", async (_, close) => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/faq");
  await person.visit("/spotlight");
  await learnMore(page, "EventConnect").click();
  await page.locator("dialog:modal").waitFor();
  await close(page);
  await learnMore(page, "EventConnect").and(page.locator(":focus")).waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(new URL(page.url()).search).toBe("");
  await page.goBack();
  await person.arrive("/faq");
});

test("a story leads to the next and the one before, and still closes with one step back", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/spotlight");
  await learnMore(page, "VirtualClass Pro").click();
  const steps = page.getByRole("navigation", { name: "Other stories" });
  await steps.getByRole("link", { name: "Next: TeleMed Connect" }).click();
  await seeStory(page, "TeleMed Connect", "Healthcare");
  await steps.getByRole("link", { name: "Previous: VirtualClass Pro" }).click();
  await steps.getByRole("link", { name: "Previous: SecureChat Pro" }).click();
  await seeStory(page, "SecureChat Pro", "Security");
  await page.goBack();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(new URL(page.url()).search).toBe("");
});

test.each(ways())("a story has an address that can be shared $script", async (way) => {
  await using person = await openPage(way);
  const { page } = person;
  await person.visit("/spotlight?story=securechat-pro");
  await seeStory(page, "SecureChat Pro", "Security");
  expect(await page.title()).toContain("SecureChat Pro");
  await page.getByRole("link", { name: "Next: VirtualClass Pro" }).click();
  await seeStory(page, "VirtualClass Pro", "Education");
  await page.getByRole("button", { name: "Close" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(page.url()).not.toContain("story");
});

test.each(ways())("an unknown story shows the cards $script", async (way) => {
  await using person = await openPage(way);
  const { page } = person;
  await person.visit("/spotlight?story=nobody");
  await learnMore(page, "VirtualClass Pro").waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
});

const visible = (images: Element[]) =>
  images
    .filter((image) => image instanceof HTMLImageElement)
    .filter((image) => image.checkVisibility())
    .map((image) => ({
      src: image.src,
      loaded: image.complete && image.naturalWidth > 0,
      sized: image.width > 0 && Math.abs(image.width / image.height - 1.6) < 0.02,
      loading: image.loading,
    }));

test.each([
  { theme: "light", ending: ".svg" },
  { theme: "dark", ending: ".svg#dark" },
] as const)("the pictures are those of the $theme theme, and move nothing", async (scheme) => {
  await using person = await openPage({ theme: scheme.theme });
  const { page } = person;
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries()) console.error(`moved: ${JSON.stringify(shift)}`);
    }).observe({ type: "layout-shift", buffered: true });
  });
  await person.visit("/spotlight");
  for (const [name] of customers) await card(page, name).scrollIntoViewIfNeeded();
  await page.waitForFunction(() =>
    [...document.images].every((image) => !image.checkVisibility() || image.complete),
  );
  const pictures = await page.locator("main img").evaluateAll(visible);
  expect(pictures).toHaveLength(6);
  for (const [at, picture] of pictures.entries()) {
    // The first is in view as the page opens.
    const loading = at === 0 ? "eager" : "lazy";
    expect(picture).toMatchObject({ loaded: true, sized: true, loading });
    expect(picture.src.endsWith(scheme.ending)).toBe(true);
  }
  for (const [name] of customers) {
    const alt = await card(page, name).getByRole("img").getAttribute("alt");
    expect(alt?.length).toBeGreaterThan(30);
  }
});

test("who wants the dark theme without script gets dark pictures", async () => {
  await using person = await openPage({ javaScript: false, systemTheme: "dark" });
  const { page } = person;
  await person.visit("/spotlight");
  const src = await card(page, "GlobalMeet").getByRole("img").getAttribute("src");
  expect(src?.endsWith("#dark")).toBe(true);
});

test("the six stories do not all claim the same uptime", async () => {
  await using person = await openPage();
  const { page } = person;
  const uptimes = new Set<string>();
  for (const [name] of customers) {
    await person.visit(`/spotlight?story=${name.toLowerCase().replace(" ", "-")}`);
    const metric = page.getByRole("dialog").locator("dd").nth(1);
    uptimes.add(await renderedText(metric));
  }
  expect(uptimes.size).toBe(6);
});
