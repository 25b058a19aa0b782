import { beforeEach, expect, test } from "vitest";
import { storePlan } from "../../support/billing/store-plan.ts";
import { desktop, faultsOfPage } from "../../support/browser/axe.ts";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { newcomer } from "../../support/provider-faults/users.ts";
import { enterAs, see } from "../../support/screens/screen.ts";
import { connectMachine } from "../../support/servers/connect-server.ts";
import {
  evidenceLines,
  evidenceOfCamera,
  evidenceOfEvenings,
  evidenceOfOffice,
} from "../../support/servers/session-lines.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";

beforeEach(resetFakes);

/** Somebody of support, at whose server apps said this. */
async function supported(email: string, said: Parameters<typeof evidenceLines>[0]) {
  const { browser: owner } = await newcomer(siteUrl, email);
  await owner.request("/dashboard");
  await storePlan(email, "pro");
  const deployment = await storeDeployment(email, fullOptions());
  const identity = { instance: "i-1", certificate: "media.example.com" };
  const machine = await connectMachine({ owner, deployment }, identity);
  await machine.report(2, [...evidenceLines(said), "domain\tmedia.example.com"]);
  return { owner, server: machine.server };
}

type Support = Awaited<ReturnType<typeof supported>>;

async function readEvidence({ owner, server }: Support, javaScript: boolean) {
  const person = await openPage({
    ...{ theme: "light", viewport: desktop, reducedMotion: true, javaScript },
    timeZone: "Europe/Berlin",
  });
  await enterAs(person, owner);
  await person.visit(`/dashboard/servers/${server}`);
  await person.page.getByRole("link", { name: "Why calls fail" }).click();
  await see(person, "Worst networks");
  return person;
}

/** What livekit-deploy find printed for somebody. */
async function lookUp({ page }: OpenPage, hash: string): Promise<void> {
  await page.getByLabel("Person or network, by hash").fill(hash);
  await page.getByLabel("Person or network, by hash").press("Enter");
}

test("somebody of support reads why a customer's office has bad calls: its firewall allows only port 443; without script too", async () => {
  const support = await supported("support@example.com", evidenceOfOffice);
  for (const javaScript of [true, false]) {
    await using person = await readEvidence(support, javaScript);
    const { page } = person;
    await see(person, "TURN, TLS 75 %");
    if (javaScript) expect(await faultsOfPage(page)).toEqual([]);
    await lookUp(person, "d".repeat(12));
    await see(
      person,
      "Their network lets little more than port 443 through: TURN relayed the call inside TLS; 1 person from there too.",
    );
    await see(person, "Ask whoever runs their network to let UDP through to the server");
    await see(person, "TURN, TLS, loss 1.2 %, 90 ms there and back, jitter 9 ms");
    await see(person, "chrome 141, js 2.16.1");
    if (javaScript) expect(await faultsOfPage(page)).toEqual([]);
    await page.getByRole("link", { name: "0a1b2c" }).click();
    await see(person, "Which way their calls took");
    await see(person, "TURN, TLS, loss 8 %, 95 ms there and back, jitter 20 ms");
    if (javaScript) expect(await faultsOfPage(page)).toEqual([]);
    await page.getByRole("link", { name: "eeeeee" }).click();
    await see(person, "Their own device or its Wi-Fi lost 8 % of the packets.");
    // The whole office, by its network.
    await page.getByRole("link", { name: "0f0f0f" }).click();
    await see(person, "Their network let no sound and picture through");
    await page.getByLabel("Person or network, by hash").fill("9999");
    await page.getByRole("button", { name: "Look up" }).press("Enter");
    await see(person, "Nothing came of this person or network in 90 days.");
    await page.getByLabel("About when, in UTC").fill("2026-11-22T14:00");
    await page.getByRole("button", { name: "Look up" }).press("Enter");
    await see(person, "Nothing of it came to the server, so why it failed cannot be known.");
    if (javaScript) expect(await faultsOfPage(page)).toEqual([]);
  }
});

test("somebody of support reads why nobody sees a customer: their browser never allowed the camera; without script too", async () => {
  const support = await supported("camera@example.com", [...evidenceOfOffice, ...evidenceOfCamera]);
  for (const javaScript of [true, false]) {
    await using person = await readEvidence(support, javaScript);
    await lookUp(person, "b".repeat(6));
    const calls = person.page.getByRole("list", { name: "Calls" });
    const call = (title: string) => calls.getByRole("listitem").filter({ hasText: title }).first();
    const camera = call("Their browser gave your page no camera");
    await camera.getByText("This is certain.").waitFor();
    await camera.getByText("They allow the camera for your site").waitFor();
    await camera.getByText("They close other programs that use the camera").waitFor();
    // The way was well, so nobody looks for the fault there.
    await camera.getByText("UDP, loss 0.2 %, 30 ms there and back").waitFor();
    await call("gave your page no microphone").waitFor();
    if (javaScript) expect(await faultsOfPage(person.page)).toEqual([]);
  }
});

test("somebody of support reads that a customer's calls are bad each evening, by their own clock, and that it is their network; without script in UTC", async () => {
  const said = [...evidenceOfEvenings, ...evidenceOfOffice];
  const support = await supported("evening@example.com", said);
  for (const javaScript of [true, false]) {
    await using person = await readEvidence(support, javaScript);
    const { page } = person;
    const [from, until] = javaScript ? ["20:00", "23:00"] : ["19:00", "22:00"];
    await see(person, `Between ${from} and ${until} many of the calls lose packets`);
    await lookUp(person, "9".repeat(6));
    await see(person, `Between ${from} and ${until} most of their calls lose packets`);
    await see(person, "18 of 18 calls bad, loss 9 %, 210 ms there and back.");
    await see(person, "At other hours: 0 of 18 calls bad, loss 0.4 %, 40 ms there and back.");
    await see(person, "Their network is full at these hours: others, in other networks, were well");
    await see(person, "They try a cable instead of Wi-Fi at such an hour");
    await see(person, `Hours are those of ${javaScript ? "Europe/Berlin" : "UTC"}`);
    await page.getByText("By hour as a table").press("Enter");
    const row = page.getByRole("row").filter({ hasText: from });
    expect(await row.locator("th, td").allTextContents()).toEqual([
      ...[from, "9", "9", "9 %", "210 ms"],
    ]);
    if (javaScript) expect(await faultsOfPage(page)).toEqual([]);
    // Of somebody who called little nothing is said.
    await lookUp(person, "d".repeat(12));
    await see(person, "Not enough calls to say whether their calls are bad at certain hours");
  }
});
