import { createHash, createPublicKey, verify } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { storePlan } from "../../support/billing/store-plan.ts";
import { desktop, faultsOfPage } from "../../support/browser/axe.ts";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import {
  fullOptions,
  storeDeployment,
  storeVersion,
} from "../../support/deployments/deployments.ts";
import { newcomer } from "../../support/provider-faults/users.ts";
import { enterAs, see } from "../../support/screens/screen.ts";
import { askForToken } from "../../support/servers/ask-for-token.ts";
import { Machine, type MachineAnswer } from "../../support/servers/machine.ts";
import { machine as said } from "../../support/servers/report-lines.ts";
import { serversAt } from "../../support/servers/servers-at.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { portBase, startOwnWorker } from "../../support/site/own-site.ts";

beforeEach(resetFakes);

const sha256 = (content: Buffer | string) => createHash("sha256").update(content).digest();

/** A device with passkeys that checks who its person is, in the browser of this page. */
async function withAuthenticator({ page }: OpenPage): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal", hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
}

/** What the machine would verify: that the passkey that it learned signed this manifest. */
function isSigned({ lines }: MachineAnswer, key: string): boolean {
  const manifest = Buffer.from(lines["rollout-manifest"] ?? "", "base64");
  const [, data = "", client = "", signature = ""] = lines["rollout-assertion-1"]?.split(" ") ?? [];
  const clientData = Buffer.from(client, "base64url");
  const { challenge } = JSON.parse(clientData.toString()) as { challenge: string };
  const content = Buffer.concat([Buffer.from(data, "base64url"), sha256(clientData)]);
  const spki = createPublicKey({ key: Buffer.from(key, "base64"), format: "der", type: "spki" });
  return (
    challenge === sha256(manifest).toString("base64url") &&
    verify("sha256", content, spki, Buffer.from(signature, "base64url"))
  );
}

test("a team adds a passkey, connects a server, asks for a version, approves it with the passkey, and sees it proved", async () => {
  // Passkeys are bound to a name: a browser makes none for the address of this machine.
  let siteUrl = "";
  await using _site = await startOwnWorker((url) => {
    siteUrl = url.replace("127.0.0.1", "localhost");
    return exampleVariables({ siteUrl, portBase });
  });
  const email = "ada@example.com";
  const { browser: owner } = await newcomer(siteUrl, email);
  await owner.request("/dashboard");
  await storePlan(email, "pro");
  const deployment = await storeDeployment(email, fullOptions());
  await using person = await openPage({
    ...{ siteUrl, theme: "light", viewport: desktop, reducedMotion: true },
  });
  const { page } = person;
  await withAuthenticator(person);
  await enterAs(person, owner, siteUrl);

  await person.visit("/dashboard/approvers");
  await see(person, "There is no passkey yet.");
  expect(await faultsOfPage(page)).toEqual([]);
  await page.getByLabel("Name of the passkey").fill("Ada’s laptop");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await see(person, "The passkey is added. Its fingerprint is");
  await see(person, "Ada’s laptop");
  expect(await faultsOfPage(page)).toEqual([]);

  const machine = new Machine(serversAt(siteUrl), "i-1");
  const token = await askForToken(owner, `/dashboard/deployments/${deployment}`);
  const enrolled = await machine.enrol(token.token);
  const [fingerprint = "", , , key = ""] = enrolled.lines["approver-1"]?.split(" ") ?? [];
  expect(enrolled.lines["approvals-origin"]).toBe(siteUrl);
  const report = (seq: number, version: number) =>
    machine.report(seq, [
      `made-from\t${deployment}\t${version}\t${said.version}`,
      ...["approvals\t1", `approver\t${fingerprint}`],
    ]);
  await report(1, 1);
  await storeVersion(email, deployment, { ...fullOptions(), monitoring: "basic" }, 1);

  await person.visit(`/dashboard/servers/${machine.server}`);
  await see(person, "A newer version is ready");
  expect(await faultsOfPage(page)).toEqual([]);
  await page.getByRole("button", { name: "Ask for version 2" }).click();
  await see(person, "0 of 1 approved it");
  expect((await report(2, 1)).lines).not.toHaveProperty("rollout");
  await page.getByRole("button", { name: "Approve with passkey" }).click();
  await see(person, "Approved, waits for the server");
  expect(await faultsOfPage(page)).toEqual([]);

  const order = await report(3, 1);
  const { rollout = "" } = order.lines;
  expect(isSigned(order, key)).toBe(true);
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
  await report(4, 2);
  await see(person, "This server runs the newest version.");
  await page.getByText("Rollouts of before").click();
  await see(person, "In use and proved");
  await see(person, `approved by ${email}`);
});
