import { readFileSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { storePlan } from "../../support/billing/store-plan.ts";
import { desktop, faultsOfPage } from "../../support/browser/axe.ts";
import { openPage } from "../../support/browser/browser.ts";
import { newcomer } from "../../support/provider-faults/users.ts";
import { enterAs, see } from "../../support/screens/screen.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";

beforeEach(resetFakes);

const layout = "test/support/audit/layouts/full";
/** Of a layout of the audit's, under names for which there are certificates. */
const files = ["livekit.yaml", "caddy.yaml", "egress.yaml", "ingress.yaml"].map((name) => ({
  name,
  mimeType: "text/yaml",
  buffer: Buffer.from(
    readFileSync(`${layout}/${name}`, "utf8").replaceAll(/\.test\b/g, ".mycompany.com"),
  ),
}));
const secrets = /kR3nV8qLx2TzY6mWc0pJ5sHd9fGb4aEu7iOo1|9f8e7d6c5b4a39281706f5e4d3c2b1a0/;

async function pro(email: string) {
  const { browser } = await newcomer(siteUrl, email);
  await browser.request("/dashboard");
  await storePlan(email, "pro");
  return browser;
}

test("from their files to a deployment by keyboard: what is taken over, left and different is shown, nothing but options is sent, and a refusal loses nothing", async () => {
  for (const [theme, viewport] of [
    ["light", desktop],
    ["dark", { width: 320, height: 640 }],
  ] as const) {
    const email = `${theme}@example.com`;
    const browser = await pro(email);
    await using person = await openPage({ theme, reducedMotion: true, viewport });
    const { page } = person;
    person.expectProblem("400 POST /dashboard/deployments/move-in");
    await enterAs(person, browser);
    await person.visit("/dashboard/deployments/new");
    await page.getByRole("link", { name: "Move in" }).press("Enter");
    await see(person, "You have a LiveKit: from its files");
    const sent: string[] = [];
    page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
    await page.getByLabel("Files of one server").setInputFiles(files);
    await see(person, "Domain: livekit.beta.mycompany.com");
    await see(person, "Ingress type: Both");
    await see(person, "livekit.yaml, line 18");
    await see(person, "What stays on your machine");
    await see(person, "cpu_cost.room_composite_cpu_cost");
    expect(await page.content()).not.toMatch(secrets);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(viewport.width);
    if (theme === "light") expect(await faultsOfPage(page)).toEqual([]);
    expect(sent.filter((each) => !/\/assets\/|\/__manifest\?/.test(each))).toEqual([]);

    // What is wrong is said, and what was found and typed is still there; also in a page that is loaded anew.
    await page.getByLabel("Domain").fill("two words");
    await page.getByLabel("Domain").press("Enter");
    await see(person, "Please look at the marked fields.");
    expect(await page.getByLabel("Domain").inputValue()).toBe("two words");
    await person.visit("/dashboard/deployments/move-in");
    await see(person, "Ingress type: Both");
    expect(await page.getByLabel("Domain").inputValue()).toBe("livekit.beta.mycompany.com");
    await page.getByLabel("Email").press("Enter");
    await page.waitForURL(/\/edit\?made=/);
    expect(sent.join("\n")).not.toMatch(secrets);
    expect(sent.join("\n")).not.toContain("cpu_cost");
    const [saved] = await runSql<{ options: Record<string, unknown> }>(
      "select options from public.deployments order by created_at desc limit 1",
    );
    expect(saved?.options).toMatchObject({
      ...{ domain: "livekit.beta.mycompany.com", email: "ops@acme.mycompany.com" },
      ...{ ingress: "both", whipDomain: "whip.beta.mycompany.com" },
      recording: { kind: "s3", bucket: "beta-recordings" },
    });
  }
});

test("the audit leads there with the files that it was given, and sends none of them", async () => {
  const browser = await pro("audited@example.com");
  await using person = await openPage();
  const { page } = person;
  await enterAs(person, browser);
  await person.visit("/audit");
  const link = page.getByRole("link", { name: "Make a deployment of ours from these files" });
  expect(await link.isVisible()).toBe(false);
  await page.getByLabel("Files of one server").setInputFiles(files);
  const bodies: string[] = [];
  page.on("request", (request) => bodies.push(request.postData() ?? ""));
  await link.click();
  await see(person, "Domain: livekit.beta.mycompany.com");
  expect(bodies.join("")).toBe("");
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toMatch(secrets);
});

test("what an earlier page found, and what was typed, stays while files without a LiveKit are added, until its configuration is given anew", async () => {
  const browser = await pro("again@example.com");
  await using person = await openPage();
  const { page } = person;
  await enterAs(person, browser);
  await person.visit("/audit");
  await page.getByLabel("Files of one server").setInputFiles(files);
  await page.getByRole("link", { name: "Make a deployment of ours from these files" }).click();
  await see(person, "The files themselves are not remembered");
  await page.getByLabel("Domain").fill("typed.mycompany.com");
  await page.getByLabel("Email").fill("typed@mycompany.com");
  const typed = () =>
    Promise.all(["Domain", "Email"].map((label) => page.getByLabel(label).inputValue()));

  const [livekit, caddy, egress] = files;
  await page.getByLabel("Files of one server").setInputFiles([egress ?? []].flat());
  await see(person, "There is no configuration of LiveKit in egress.yaml.");
  await see(person, "Ingress type: Both");
  await see(person, "choose all of them again together");
  expect(await typed()).toEqual(["typed.mycompany.com", "typed@mycompany.com"]);
  await person.visit("/dashboard/deployments/move-in");
  await see(person, "Ingress type: Both");

  // Given anew, it says by itself what there is, and what is typed goes before what files say.
  await page.getByLabel("Domain").fill("typed.mycompany.com");
  await page.getByLabel("Email").fill("typed@mycompany.com");
  await page.getByLabel("Files of one server").setInputFiles([livekit ?? []].flat());
  await see(person, "Read: livekit.yaml.");
  expect(await page.getByText("cpu_cost.room_composite_cpu_cost").count()).toBe(0);
  expect(await page.getByText("are not remembered").count()).toBe(0);
  await page.getByRole("button", { name: "Remove all" }).click();
  await page.getByRole("heading", { name: "Make the deployment" }).waitFor({ state: "detached" });
  await page.getByLabel("Files of one server").setInputFiles([livekit ?? [], caddy ?? []].flat());
  await see(person, "Read: livekit.yaml, caddy.yaml.");
  expect(await typed()).toEqual(["typed.mycompany.com", "typed@mycompany.com"]);
});

test("without script the page says that it cannot read files, and that they are not sent", async () => {
  const browser = await pro("scriptless@example.com");
  await using person = await openPage({ javaScript: false });
  await enterAs(person, browser);
  await person.visit("/dashboard/deployments/move-in");
  await see(person, "Without script this page cannot read files, and yours are not sent.");
  expect(await person.page.getByLabel("Files of one server").isVisible()).toBe(false);
});
