import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";

const layouts = "test/support/audit/layouts";
const address = "/audit";
const secret = "Zt5yWq8vRm3nKx7c";
const faulty = `rtc:\n  use_external_ip: true\n  tcp_port: 881\nkeys:\n  APIabc: ${secret}\n`;

const summary = "[data-audit-summary]";

test("chosen files are audited without one request once the audit is loaded, and no secret is shown", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit(address);
  const files = page.getByLabel("Files of one server");
  await files.focus();
  // The audit is loaded with the first use of the page.
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => name.includes("audit-page")),
  );
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await files.setInputFiles({
    name: "livekit.yaml",
    mimeType: "text/yaml",
    buffer: Buffer.from(faulty),
  });
  await page.locator(summary).getByText("Found in 1 file: 2 critical and 1 warning.").waitFor();
  const finding = page.getByRole("listitem").filter({ hasText: "keys.short" });
  await finding.getByText(/livekit\.yaml, line 5: APIabc: •+/).waitFor();
  expect(await page.content()).not.toContain(secret);
  expect(
    await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage })),
  ).not.toContain(secret);
  await files.setInputFiles(
    ["livekit.yaml", "caddy.yaml", "docker-compose.yaml", "redis.conf"].map(
      (name) => `${layouts}/vm/${name}`,
    ),
  );
  await page.locator(summary).getByText("Nothing found in 4 files.").waitFor();
  expect(requests).toEqual([]);
});

test("a pasted file is audited by keyboard alone, and its lines are copied", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await person.visit(address);
  await page.getByLabel("Or paste one").focus();
  await page.keyboard.insertText(faulty);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.locator(summary).getByText("Found in 1 file").waitFor();
  const copy = page.getByRole("button", {
    name: /^Copy the lines that mend it: Browsers do not connect/,
  });
  await copy.press("Enter");
  await page.getByText("Copied").first().waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("rtc:\n  tcp_port: 7881");
});

test("what cannot be read is said by name, and a file is removed again", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit(address);
  const files = page.getByLabel("Files of one server");
  await files.setInputFiles([
    {
      name: "broken.yaml",
      mimeType: "text/yaml",
      buffer: Buffer.from("rtc:\n  a: [1\nkeys: {}\n"),
    },
    { name: "empty.yaml", mimeType: "text/yaml", buffer: Buffer.from("") },
    { name: "huge.yaml", mimeType: "text/yaml", buffer: Buffer.alloc(900_000, "a") },
  ]);
  const list = page.locator("[data-audit-list]");
  await list.getByText(/^broken\.yaml, line \d+: /).waitFor();
  await list.getByText("empty.yaml, line 1: It is empty.").waitFor();
  await list.getByText("huge.yaml, line 1: It has more than 100 kB.").waitFor();
  await page.getByRole("button", { name: "Remove huge.yaml" }).click();
  await list.getByText("huge.yaml").waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Remove all" }).click();
  expect(await list.locator("li").count()).toBe(0);
});

test("the report is there again when the page is loaded anew in the tab, without its files", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit(address);
  await page.getByLabel("Or paste one").fill(faulty);
  await page.getByRole("button", { name: "Audit what I pasted" }).click();
  await page.locator(summary).getByText("Found in 1 file").waitFor();
  await page.reload();
  await page.locator(summary).getByText("Found in 1 file: 2 critical and 1 warning.").waitFor();
  expect(await page.content()).not.toContain(secret);
});

test("without script the page leads to the command line, and shows no field that does nothing", async () => {
  await using person = await openPage({ javaScript: false });
  const { page } = person;
  await person.visit(address);
  await page.getByText("Without script this page cannot read files.").waitFor();
  expect(await page.getByLabel("Or paste one").isVisible()).toBe(false);
});

test("an audit that could not be loaded says so, and works when it can be", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.route("**/assets/*audit-page*", (route) => route.fulfill({ status: 404 }));
  person.expectProblem("404 GET /assets/page-script-audit-page");
  await person.visit(address);
  await page.getByLabel("Or paste one").fill(faulty);
  await page.getByRole("alert").getByText("The audit could not be loaded.").waitFor();
  await page.unroute("**/assets/*audit-page*");
  await page.getByRole("button", { name: "Audit what I pasted" }).focus();
  await page
    .getByRole("alert")
    .getByText("The audit could not be loaded.")
    .waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Audit what I pasted" }).click();
  await page.locator(summary).getByText("Found in 1 file").waitFor();
  expect(readFileSync(`${layouts}/vm/livekit.yaml`, "utf8")).toContain("turn:");
});
