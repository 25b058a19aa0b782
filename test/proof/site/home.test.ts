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
    const dashboard = main.getByRole("link", { name: "Dashboard" });
    expect(await dashboard.getAttribute("href")).toBe("/dashboard");
    expect(await main.getByRole("link", { name: "Get Early Access" }).count()).toBe(0);
  },
);

test("the home page names its uptime a target", async () => {
  await using person = await openPage();
  await person.visit("/");
  await person.page.getByText("uptime is the target of several servers").waitFor();
});
