import { beforeEach, expect, test } from "vitest";
import { faultsOfPage } from "../../support/browser/axe.ts";
import { fullOptions, storeVersion } from "../../support/deployments/deployments.ts";
import { passkeyTeam } from "../../support/rollouts/passkey-team.ts";
import { see } from "../../support/screens/screen.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

beforeEach(resetFakes);

test("a team adds a passkey, connects a server, asks for a version, approves it with the passkey, and sees it proved", async () => {
  const email = "ada@example.com";
  await using team = await passkeyTeam(email);
  const { person, deployment } = team;
  const { page } = person;

  await person.visit("/dashboard/approvers");
  await see(person, "There is no passkey yet.");
  expect(await faultsOfPage(page)).toEqual([]);
  await team.addPasskey("Ada’s laptop");
  await see(person, "Ada’s laptop");
  expect(await faultsOfPage(page)).toEqual([]);

  const { machine, enrolled } = await team.connectMachine();
  expect(enrolled.lines["approvals-origin"]).toBe(team.siteUrl);
  await machine.reportVersion(1);
  await storeVersion(email, deployment, { ...fullOptions(), monitoring: "basic" }, 1);

  await person.visit(`/dashboard/servers/${machine.server}`);
  await see(person, "A newer version is ready");
  expect(await faultsOfPage(page)).toEqual([]);
  // At once has no end.
  const until = page.getByLabel("Until").first();
  expect(await until.isVisible()).toBe(false);
  await page.getByLabel("Begin at").first().selectOption("02:00");
  await until.waitFor();
  await page.getByLabel("Begin at").first().selectOption("At once");
  await page.getByRole("button", { name: "Ask for version 2" }).click();
  await see(person, "0 of 1 approved it");
  expect((await machine.reportVersion(1)).lines).not.toHaveProperty("rollout");
  await page.getByRole("button", { name: "Approve with passkey" }).click();
  await see(person, "Approved, waits for the server");
  expect(await faultsOfPage(page)).toEqual([]);

  const order = await machine.reportVersion(1);
  const { rollout = "" } = order.lines;
  expect(machine.verifies(order)).toBe(true);
  expect((await machine.rolloutFiles(rollout)).status).toBe(200);
  const steps = {
    ...{ fetched: "Fetched, and each file is the one that was approved" },
    ...{ checked: "Checked: everything fits", draining: "Waits for a quiet moment" },
  };
  for (const [step, words] of Object.entries(steps)) {
    expect((await machine.rolloutStep(rollout, step)).lines.abort).toBe("no");
    // It is shown without a press.
    await page.getByRole("listitem").filter({ hasText: words }).waitFor();
  }
  for (const step of ["applying", "applied", "proved"]) await machine.rolloutStep(rollout, step);
  await machine.reportVersion(2);
  await see(person, "This server runs the newest version.");
  await page.getByText("Past rollouts").click();
  await see(person, "In use and proved");
  await see(person, `approved by ${email}`);
});
