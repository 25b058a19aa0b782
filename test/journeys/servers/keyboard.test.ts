import type { Locator, Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { storePlan } from "../../support/billing/store-plan.ts";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { tabTo } from "../../support/browser/tab-to.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { testInProof } from "../../support/run/variants.ts";
import { webhookAddress } from "../../support/servers/arrived.ts";
import { enrolMachines } from "../../support/servers/connect-server.ts";
import { Machine } from "../../support/servers/machine.ts";
import { machine as described } from "../../support/servers/report-lines.ts";
import { serversAt } from "../../support/servers/servers-at.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";

beforeEach(resetFakes);

const email = "customer.one@example.com";
const full = "finding\tdisk.filling\twarning\t/\t85 %\t80 %";

/** Somebody with a server that has a finding, and whose key a copy used. */
async function withCopiedServer(person: OpenPage): Promise<Machine> {
  const owner = await person.signIn();
  await storePlan(email, "basic");
  const deployment = await storeDeployment(email, fullOptions());
  const [machine] = await enrolMachines(owner, deployment, 1);
  if (!machine) throw new Error("No machine was connected");
  await machine.report(1, [full, "metric\tparticipants\t3"]);
  const clone = new Machine(serversAt(siteUrl), "i-clone", described.otherBoot);
  clone.key = machine.key;
  await clone.report(1);
  return machine;
}

/** Goes to something by Tab and presses Enter. */
async function enter(page: Page, goal: Locator): Promise<void> {
  await tabTo(page, goal);
  await page.keyboard.press("Enter");
}

/** After a post what came of it has the focus, wherever the pressed button is now. */
const outcomeHasFocus = (page: Page) => page.locator("[data-outcome]:focus").waitFor();

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const fold = (page: Page, name: string) => page.locator("summary", { hasText: name });

test("a server is handled by keyboard alone: the copy, the incident, maintenance, figures and the end", async () => {
  await using person = await openPage();
  const { page } = person;
  const { server } = await withCopiedServer(person);
  await person.visit(`/dashboard/servers/${server}`);
  await page.getByText("Live", { exact: true }).waitFor();

  await enter(page, button(page, "Refuse"));
  await page.getByText("Another machine wants to replace").waitFor({ state: "detached" });
  await outcomeHasFocus(page);

  await enter(page, button(page, "Acknowledge"));
  await page
    .getByText(/^Acknowledged by .+@/)
    .first()
    .waitFor();
  await outcomeHasFocus(page);

  await tabTo(page, page.getByLabel("Tell nobody", { exact: true }));
  await page.keyboard.press("ArrowDown");
  await enter(page, button(page, "Snooze"));
  await page.getByText("Snoozed until").waitFor();
  await outcomeHasFocus(page);

  // What is wrong comes before what was, and what ends it all comes last.
  await enter(page, page.getByRole("link", { name: "7 days" }));
  await page.waitForURL(/range=7d/);
  await page.getByRole("img", { name: /^Participants in the last 7 days/ }).waitFor();
  await page.getByRole("link", { name: "7 days" }).and(page.locator(":focus")).waitFor();
  await enter(page, fold(page, "Participants as a table"));
  await page.getByRole("table", { name: "Participants" }).waitFor();

  await tabTo(page, page.getByLabel("Tell nobody of this server for"));
  await enter(page, button(page, "Start now"));
  await page.getByText("In maintenance until").waitFor();
  await outcomeHasFocus(page);
  await enter(page, button(page, "End the maintenance"));
  await page.getByText("In maintenance until").waitFor({ state: "detached" });
  await outcomeHasFocus(page);

  expect(await button(page, "Disconnect sfu-1").isVisible()).toBe(false);
  await enter(page, fold(page, "Disconnect it from the console"));
  await page.getByText("To connect it again it needs a new token.").waitFor();
  await enter(page, button(page, "Disconnect sfu-1"));
  await page.getByText("Disconnected since").waitFor();
  await outcomeHasFocus(page);
});

testInProof("channels are added, tested and removed by keyboard alone", async () => {
  await using person = await openPage();
  const { page } = person;
  await withCopiedServer(person);
  await person.visit("/dashboard/alerts");
  await enter(page, fold(page, "PagerDuty"));
  await tabTo(page, page.getByLabel("Routing key"));
  await page.keyboard.type("e93facc0");
  person.expectProblem("400 POST /dashboard/alerts.data");
  await enter(page, button(page, "Add PagerDuty"));
  await page.getByText("has 32 letters and digits").waitFor();
  await page.locator("[name=key]:focus[aria-invalid=true]").waitFor();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("e93facc04764012d7bfb002500d5d1a6");
  await enter(page, button(page, "Add PagerDuty"));
  await page.getByText("The channel was added.").waitFor();
  await outcomeHasFocus(page);

  await enter(page, fold(page, "Webhook"));
  await tabTo(page, page.getByLabel("Address"));
  await page.keyboard.type(webhookAddress("team"));
  await enter(page, button(page, "Add the webhook"));
  await page.getByText(/^whsec_/).waitFor();
  await outcomeHasFocus(page);

  await enter(page, page.getByRole("button", { name: "Send a test now (PagerDuty" }));
  await page.getByText("The test was sent.").waitFor();
  await outcomeHasFocus(page);
  await enter(page, fold(page, "Remove (PagerDuty"));
  await page.getByText(/^PagerDuty, key …d1a6 is told nothing/).waitFor();
  await enter(page, page.getByRole("button", { name: "Remove the channel (PagerDuty" }));
  await page.getByText("The channel was removed.").waitFor();
  await outcomeHasFocus(page);
  expect(await page.getByRole("button", { name: /\(PagerDuty/ }).count()).toBe(0);
});
