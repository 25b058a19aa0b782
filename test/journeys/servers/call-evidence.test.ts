import { beforeEach, expect, test } from "vitest";
import { storePlan } from "../../support/billing/store-plan.ts";
import { desktop, faultsOfPage } from "../../support/browser/axe.ts";
import { openPage } from "../../support/browser/browser.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { newcomer } from "../../support/provider-faults/users.ts";
import { enterAs, see } from "../../support/screens/screen.ts";
import { connectMachine } from "../../support/servers/connect-server.ts";
import { evidenceLines, evidenceOfOffice } from "../../support/servers/session-lines.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";

beforeEach(resetFakes);

test("somebody of support reads why a customer's office has bad calls: its firewall allows only port 443; without script too", async () => {
  const email = "support@example.com";
  const { browser: owner } = await newcomer(siteUrl, email);
  await owner.request("/dashboard");
  await storePlan(email, "pro");
  const deployment = await storeDeployment(email, fullOptions());
  const identity = { instance: "i-1", certificate: "media.example.com" };
  const machine = await connectMachine({ owner, deployment }, identity);
  await machine.report(2, [...evidenceLines(evidenceOfOffice), "domain\tmedia.example.com"]);
  for (const javaScript of [true, false]) {
    await using person = await openPage({
      ...{ theme: "light", viewport: desktop, reducedMotion: true },
      ...{ javaScript },
    });
    const { page } = person;
    await enterAs(person, owner);
    await person.visit(`/dashboard/servers/${machine.server}`);
    await page.getByRole("link", { name: "Why calls fail" }).click();
    await see(person, "Worst networks");
    await see(person, "TURN, TLS 75 %");
    if (javaScript) expect(await faultsOfPage(page)).toEqual([]);
    // What livekit-deploy find printed for the person.
    await page.getByLabel("Person or network, by hash").fill("d".repeat(12));
    await page.getByLabel("Person or network, by hash").press("Enter");
    await see(
      person,
      "Their network lets little more than port 443 through: TURN relayed the call.",
    );
    await see(person, "Ask whoever runs their network to allow media.example.com by UDP");
    await see(person, "TURN, TLS, loss 1.2 %, 90 ms there and back, jitter 9 ms");
    await see(person, "chrome 141, js 2.16.1");
    if (javaScript) expect(await faultsOfPage(page)).toEqual([]);
    await page.getByRole("link", { name: "0a1b2c" }).click();
    await see(person, "Which way their calls took");
    await see(person, "TURN, TLS, loss 8 %, 95 ms there and back, jitter 20 ms");
    if (javaScript) expect(await faultsOfPage(page)).toEqual([]);
    await page.getByRole("link", { name: "eeeeee" }).click();
    await see(person, "Their network lost 8 % of the packets");
    // The whole office, by its network.
    await page.getByRole("link", { name: "0f0f0f" }).click();
    await see(person, "LiveKit answered, but sound and picture got through on no way.");
    await page.getByLabel("Person or network, by hash").fill("9999");
    await page.getByRole("button", { name: "Look up" }).press("Enter");
    await see(person, "Nothing came of this hash in 90 days.");
  }
});
