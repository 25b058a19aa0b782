import { expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";
import { renderedText } from "../../support/browser/page-actions.ts";
import { scriptVariants } from "../../support/run/variants.ts";

const locations = {
  "North America": ["US East", "US Central", "US West"],
  "South America": ["Brazil"],
  Europe: ["France", "Germany", "UK"],
  Asia: ["Japan", "Singapore", "India"],
  Oceania: ["Australia"],
  "Middle East": ["UAE"],
  Africa: ["South Africa"],
};

test.each(scriptVariants)("the page says what is specified $script", async (way) => {
  await using person = await openPage(way);
  const { page } = person;
  await person.visit("/cloud-architecture");
  await page.getByRole("heading", { name: "Cloud Architecture", level: 1 }).waitFor();
  await page.locator("dl").getByText("99.99%").waitFor();
  await page.locator("dl").getByText("uptime", { exact: true }).waitFor();
  await page
    .getByText(/^A target for several instances: at most 4 minutes and 20 seconds/)
    .waitFor();
  await page.getByText("at least four cores for one composed recording").waitFor();

  const today = page.getByRole("region", { name: "What you get today" });
  await today
    .getByText(
      /^A deployment is the description of one server or one cluster: a name, your answers/,
    )
    .waitFor();
  await today.getByRole("heading", { name: "When one machine is not enough" }).waitFor();
  const growing = await today
    .getByRole("link")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  expect(growing).toEqual(["/docs/larger-machine", "/docs/several-servers", "/docs/clusters"]);

  const blocks = page.getByRole("region", { name: "What it is built on" }).getByRole("heading");
  expect(await blocks.allInnerTexts()).toEqual([
    "What it is built on",
    "Built on the open-source SFU",
    "Distributed mesh",
    "Multi-home",
    "No single point of failure",
    "Global distribution with sub-100ms latency",
    "Automatic scaling",
  ]);

  const places = page.getByRole("region", { name: "Data-centre locations" });
  for (const [continent, names] of Object.entries(locations)) {
    const group = places.locator("li", { has: page.getByRole("heading", { name: continent }) });
    const shown = await group.locator("li").evaluateAll(firstTexts);
    expect(shown).toEqual(names);
  }
  for (const list of ["Failover", "Scaling"]) {
    const rules = page.getByRole("region", { name: list, exact: true }).getByRole("listitem");
    expect(await rules.count()).toBeGreaterThanOrEqual(3);
  }
});

test("the page says of several instances what trying them has shown", async () => {
  await using person = await openPage({ javaScript: false });
  await person.visit("/cloud-architecture");
  const words = (await renderedText(person.page.getByRole("main"))).replaceAll(/\s+/g, " ");
  for (const shown of [
    "The mesh of LiveKit Cloud, which spreads one room over several servers, is not in the open-source server.",
    "In LiveKit Cloud the word means a room on several servers; here a room lives on one.",
    "one Redis alone is such a point",
    "3 to 15 seconds",
    "After a forced stop they do not: their app must join again.",
    "It fails on every instance while Redis is away, and still says OK while an instance finishes its rooms.",
    "When all are above, rooms still open: a load limit refuses none.",
    "where the cloud waits for it: AWS and Kubernetes do",
    "Google Cloud, Azure and Digital Ocean wait minutes at most",
    "the machines are yours, we run none",
  ]) {
    expect(words).toContain(shown);
  }
});

const firstTexts = (elements: Element[]) =>
  elements.map(({ firstChild }) => firstChild?.textContent);

test("the map names every location and marks it where it is", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/cloud-architecture");
  const map = page.getByRole("img", { name: "World map of the data-centre locations" });
  await page.waitForFunction(() => (document.querySelector("use")?.getBBox().width ?? 0) > 140);
  const named = await map.locator("text").allTextContents();
  expect(named.toSorted()).toEqual(Object.values(locations).flat().toSorted());

  const left = async (name: string) => (await mark(name).boundingBox())?.x ?? Number.NaN;
  const top = async (name: string) => (await mark(name).boundingBox())?.y ?? Number.NaN;
  const mark = (name: string) =>
    map
      .locator("g", { has: page.getByText(name, { exact: true }) })
      .locator("circle")
      .first();
  const eastwards = ["US West", "US Central", "US East", "Brazil", "UK", "France", "Germany"];
  eastwards.push("South Africa", "UAE", "India", "Singapore", "Japan", "Australia");
  const xs = await Promise.all(eastwards.map(left));
  expect(xs).toEqual(xs.toSorted((one, other) => one - other));
  const southwards = ["UK", "Germany", "France", "US West", "US Central", "US East", "Japan"];
  southwards.push("UAE", "India", "Singapore", "Brazil", "South Africa", "Australia");
  const ys = await Promise.all(southwards.map(top));
  expect(ys).toEqual(ys.toSorted((one, other) => one - other));
});

test.each([
  { shape: "side by side", width: 1280 },
  { shape: "below each other", width: 320 },
])("the diagram shows three SFU instances, $shape, and says so in words", async ({ width }) => {
  await using person = await openPage({ viewport: { width, height: 800 } });
  const { page } = person;
  await person.visit("/cloud-architecture");
  const diagram = page.getByRole("img", { name: "Three SFU instances that share one Redis" });
  expect(await diagram.count()).toBe(1);
  const texts = await diagram.locator("text").allTextContents();
  expect(texts.filter((text) => /^sfu-\d$/.test(text))).toEqual(["sfu-1", "sfu-2", "sfu-3"]);
  expect(texts).toContain("Redis");
  expect(await diagram.locator("desc").textContent()).toContain("sfu-3 in Singapore");
  // Text that people read, not a picture of text: at least 11 px tall letters' lines.
  const line = await diagram.getByText("Germany", { exact: true }).boundingBox();
  expect(line?.height).toBeGreaterThan(11);

  await page.getByText("The diagram as a table").click();
  const table = page.getByRole("table");
  expect(await table.getByRole("rowheader").allInnerTexts()).toEqual(["sfu-1", "sfu-2", "sfu-3"]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
    width,
  );
});

const travelling = (packets: Element[]) =>
  packets
    .flatMap((packet) => packet.getAnimations())
    .filter(({ playState }) => playState === "running").length;

test("packets travel, can be held still, and do not for a visitor who wants no motion", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/cloud-architecture");
  const packets = page.locator("figure [stroke-dasharray='0 100']");
  expect(await packets.evaluateAll(travelling)).toBeGreaterThan(3);
  await page.getByLabel("Hold the packets still").check();
  expect(await packets.evaluateAll(travelling)).toBe(0);

  await using calm = await openPage({ reducedMotion: true });
  await calm.visit("/cloud-architecture");
  expect(await calm.page.locator("figure [stroke-dasharray='0 100']:visible").count()).toBe(0);
  expect(await calm.page.getByLabel("Hold the packets still").isVisible()).toBe(false);
});
