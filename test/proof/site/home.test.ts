import { expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";

test.each([true, false])("the home page says what it does (script: %s)", async (javaScript) => {
  await using person = await openPage({ javaScript });
  const { page } = person;
  await person.visit("/");
  await page
    .getByRole("heading", { level: 1, name: "Deploy LiveKit Server with Confidence" })
    .waitFor();
  const early = page.getByRole("main").getByRole("link", { name: "Get Early Access" });
  expect(await early.getAttribute("href")).toBe("/signup");

  const features = page.getByRole("region", {
    name: "Everything between a fresh machine and the first call",
  });
  expect(await features.getByRole("listitem").count()).toBe(6);
  for (const item of await features.getByRole("listitem").all()) {
    expect(await item.locator("svg").count()).toBe(1);
    expect(await item.getByRole("heading", { level: 3 }).count()).toBe(1);
  }

  const prerequisites = page.getByRole("region", { name: "Prerequisites" });
  for (const needed of [
    "A domain name with DNS management access",
    "VM access on your preferred cloud provider",
    "A basic understanding of cloud infrastructure",
  ]) {
    await prerequisites.getByText(needed, { exact: true }).waitFor();
  }
});

test("the ports table has every port and what it is for", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/");
  const table = page.getByRole("table", { name: "Required ports and what each is for" });
  const rows = await table.getByRole("row").allInnerTexts();
  expect(rows.map((row) => row.split(/\t|\n/).map((cell) => cell.trim()))).toEqual([
    ["Port", "Purpose"],
    ["443", "Primary HTTPS and TURN/TLS"],
    ["80", "TLS certificate issuance"],
    ["7881", "WebRTC over TCP"],
    ["3478/UDP", "TURN/UDP"],
    ["50000-60000/UDP", "WebRTC over UDP"],
    ["1935", "RTMP Ingress, optional"],
    ["7885/UDP", "WHIP Ingress, optional"],
  ]);
});

test.each(["/", "/cloud-architecture"])(
  "on %s who is signed in is led to the dashboard, not to early access",
  async (path) => {
    await using person = await openPage();
    const main = person.page.getByRole("main");
    await person.visit(path);
    await main.getByRole("link", { name: "Get Early Access" }).waitFor();
    expect(await main.getByRole("link", { name: "Dashboard" }).count()).toBe(0);

    await person.signIn();
    await person.visit(path);
    const dashboard = main.getByRole("link", { name: "Dashboard" }).first();
    expect(await dashboard.getAttribute("href")).toBe("/dashboard");
    expect(await main.getByRole("link", { name: "Get Early Access" }).count()).toBe(0);
  },
);

test("the home page names its uptime a target", async () => {
  await using person = await openPage();
  await person.visit("/");
  await person.page.getByText("uptime is the target of several servers").waitFor();
});

test("the hero stays where it is when it is used, and its panel ends on the screen (11)", async () => {
  await using person = await openPage({ viewport: { width: 1280, height: 800 } });
  const { page } = person;
  await person.visit("/");
  const heading = page.getByRole("heading", { level: 1 });
  const before = await heading.boundingBox();
  await page.getByLabel("Your domain").fill("rtc.mycompany.com");
  await page.getByRole("button", { name: "See your files" }).click();
  const choices = page.getByRole("link", { name: "Make more choices" });
  await choices.waitFor();
  expect(await heading.boundingBox()).toEqual(before);
  const { y = 0, height = 0 } = (await choices.boundingBox()) ?? {};
  expect(y + height).toBeLessThan(800);
});

test("a phone's first screen has every port of the panel, and a way to begin in its bar (15)", async () => {
  await using person = await openPage({ viewport: { width: 390, height: 844 } });
  const { page } = person;
  await person.visit("/");
  const ports = page.getByRole("list", { name: "Ports that open" }).getByRole("listitem");
  expect(await ports.count()).toBe(5);
  for (const port of await ports.all()) {
    const { x = 0, y = 0, width = 0, height = 0 } = (await port.boundingBox()) ?? {};
    expect([x + width <= 390, y + height <= 844], (await port.textContent()) ?? "").toEqual([
      true,
      true,
    ]);
  }
  const bar = page.getByRole("banner");
  expect(await bar.getByRole("link", { name: "Early Access" }).isVisible()).toBe(true);
});
