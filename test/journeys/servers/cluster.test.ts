import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { mailsTo } from "../../support/auth/inbox.ts";
import { storePlan } from "../../support/billing/store-plan.ts";
import { faultsOfPage } from "../../support/browser/axe.ts";
import { openPage } from "../../support/browser/browser.ts";
import { tabTo } from "../../support/browser/tab-to.ts";
import { personalWorkspaceOf, userIdOf } from "../../support/database/database.ts";
import { defaultOptions } from "../../support/deployments/bundle-cases.ts";
import { storeDeployment } from "../../support/deployments/deployments.ts";
import { controlFleet } from "../../support/servers/control-fleet.ts";
import { type MachineRun, machineCommands } from "../../support/servers/machine-command.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";

beforeEach(resetFakes);

const email = "customer.one@example.com";
const minute = 60_000;

/** So many minutes pass, in each of which so many machines report. */
async function pass(minutes: number, reporting: number, machines: MachineRun): Promise<void> {
  const workspace = await personalWorkspaceOf(await userIdOf(email));
  // A machine that reported too often is not counted in its round.
  const rounds = () => machines.output.split(`: ${reporting} machines report`).length;
  for (let each = 0; each < minutes; each += 1) {
    const before = rounds();
    await controlFleet(siteUrl, workspace, "clock", { ms: minute });
    // One may have begun before.
    await expect.poll(rounds).toBeGreaterThan(before + 1);
  }
}

/** The files of a deployment, which hold a token for as many machines as it has. */
async function downloaded(page: Page): Promise<string> {
  // A further machine's, where one is connected.
  const name = /^(Download the files|Files for a new machine)$/;
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name }).click(),
  ]);
  return download.path();
}

const isDigest = /^Look at /;

test("from one server to a cluster of three and back: one machine dies, which is one incident with its capacity", async () => {
  await using commands = machineCommands();
  await using person = await openPage();
  const { page } = person;
  await person.signIn();
  await storePlan(email, "pro");
  const names = { domain: "live.example.com", email: "ops@example.com" };
  const options = { ...defaultOptions, ...names, updates: "manual", monitoring: "basic" } as const;
  const path = `/dashboard/deployments/${await storeDeployment(email, options)}`;
  const [cluster, servers] = [page.locator("#cluster"), page.locator("#servers")];
  const save = async (version: number, choose: () => Promise<void>) => {
    await person.visit(`${path}/edit?step=deployment`);
    await page.getByText("One server or a cluster").click();
    await choose();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText(`Saved as version ${version}.`).waitFor();
  };
  const compared = async (from: number, titles: readonly string[]) => {
    await person.visit(`${path}/versions`);
    await page
      .getByRole("heading", { name: `What changed from v${from} to v${from + 1}` })
      .waitFor();
    for (const title of titles) await page.getByText(title, { exact: true }).waitFor();
  };

  await person.visit(path);
  const one = commands.start([await downloaded(page), "--fast", "--name", "alone"]);
  await save(2, async () => {
    await page.getByRole("radio", { name: "A cluster" }).check();
    await page.getByLabel("Machines for calls", { exact: true }).fill("3");
    await page.getByLabel("Private network").fill("10.0.0.0/16");
  });
  await compared(1, [
    "Make the machines of the cluster",
    "Point the DNS records at the edge",
    "End the old server",
  ]);
  await page.getByText("sh cluster.sh make --from OLD-SERVER EDGE NODE-1 NODE-2 NODE-3").waitFor();
  expect(await faultsOfPage(page)).toEqual([]);

  await one.until("Ctrl-C switches it off");
  await person.visit(path);
  await page.getByRole("heading", { name: "Version 2 is not on your server" }).waitFor();
  expect(await cluster.count()).toBe(0);
  // Its token connects as many machines as the deployment has: three for calls, and the edge.
  const zip = await downloaded(page);
  const three = commands.start([zip, "--cluster", "3", "--every", "1", "--fault", "node"]);
  await three.until("media-2 is lost");
  await cluster.getByText("an edge and 3 media machines").waitFor();
  await cluster.getByText("Healthy", { exact: true }).first().waitFor();
  await cluster.getByText("Yes: without its largest machine about 224 find room").waitFor();
  await cluster.getByText("Runs version 2", { exact: true }).first().waitFor();
  expect(await faultsOfPage(page)).toEqual([]);
  await one.end();
  expect(await commands.start(["--forget", "alone"]).exited).toBe(0);

  // The feed of an open page has a ticket of minutes, which pass at once here.
  await person.visit("/docs");
  await pass(4, 3, three);
  await person.visit(path);
  await cluster.getByRole("heading", { name: "media-2: The machine is down" }).waitFor();
  expect(await cluster.getByRole("heading", { level: 2, name: /: / }).count()).toBe(1);
  await cluster.getByText("Down since").waitFor();
  await cluster.getByText("Yes: without its largest machine about 112 find room").waitFor();
  // The others carry its calls, so that nobody is woken; the digest of the day may have come.
  const mails = (await mailsTo(email)).filter(({ text }) => text.includes("media-2"));
  expect(mails.map(({ subject }) => subject).filter((each) => !isDigest.test(each))).toEqual([]);
  expect(await faultsOfPage(page)).toEqual([]);
  await tabTo(page, cluster.getByRole("button", { name: "Acknowledge" }));
  await page.keyboard.press("Enter");
  await cluster.getByText(`Acknowledged by ${email}`).waitFor();

  await person.visit("/dashboard");
  const machines = page.getByRole("list", { name: /^Machines of / });
  await machines.getByRole("link", { name: "media-2" }).waitFor();
  expect(await machines.getByRole("listitem").count()).toBe(4);
  await page.getByText("media-2: The machine is down").waitFor();
  expect(await faultsOfPage(page)).toEqual([]);

  await save(3, () => page.getByRole("radio", { name: "One server" }).check());
  await compared(2, [
    "Make a new machine",
    "Point the DNS records at the new machine",
    "End the old cluster",
  ]);
  await person.visit(path);
  const back = commands.start([await downloaded(page), "--fast", "--name", "back"]);
  await back.until("Ctrl-C switches it off");
  await servers.getByRole("link", { name: "back" }).waitFor();
  await cluster.getByText("an edge and 3 media machines").waitFor();
  await three.end();
  await cluster.waitFor({ state: "detached" });
  await servers.getByText("Runs version 3").waitFor();
  await person.visit("/dashboard");
  await page.getByRole("link", { name: "back", exact: true }).waitFor();
  expect(await machines.count()).toBe(0);
});
