import { beforeEach, expect, test } from "vitest";
import { storePlan } from "../../support/billing/store-plan.ts";
import { desktop, faultsOfPage } from "../../support/browser/axe.ts";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { newcomer } from "../../support/provider-faults/users.ts";
import { enterAs, see } from "../../support/screens/screen.ts";
import { connectMachine, enrolMachine } from "../../support/servers/connect-server.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";

beforeEach(resetFakes);

async function customer() {
  const email = "support@example.com";
  const { browser: owner } = await newcomer(siteUrl, email);
  await owner.request("/dashboard");
  await storePlan(email, "pro");
  return { owner, deployment: await storeDeployment(email, fullOptions()) };
}

/** The link to a participant's call, among those of a session. */
const participant = ({ page }: OpenPage, name: string) =>
  page.getByRole("region", { name: "Participants" }).getByRole("link", { name });

test("somebody of support finds a call by the hash of a person, and reads when and why it broke off, without script too", async () => {
  const place = await customer();
  const used = await connectMachine(place, { instance: "i-1", certificate: "rtc.example.com" });
  const page = `/dashboard/deployments/${place.deployment}`;
  const unused = await enrolMachine(place.owner, page, "i-2");
  for (const javaScript of [true, false]) {
    await using person = await openPage({
      ...{ theme: "light", viewport: desktop, reducedMotion: true },
      ...{ javaScript },
    });
    await enterAs(person, place.owner);
    await person.visit(`/dashboard/servers/${used.server}`);
    await person.page.getByRole("link", { name: "Sessions" }).click();
    await see(person, "Participant-minutes");
    if (javaScript) expect(await faultsOfPage(person.page)).toEqual([]);
    await person.page.getByLabel("Room or person, by hash").fill("ffff");
    await person.page.getByRole("button", { name: "Filter" }).click();
    await see(person, "No session matches.");
    await person.page.getByLabel("Room or person, by hash").fill("aaaaaa");
    await person.page.getByRole("button", { name: "Filter" }).click();
    await person.page.getByRole("link", { name: "0a1b2c" }).click();
    await see(person, "aaaaaa left: the signal connection broke off");
    await see(person, "cccccc did not get through: could not join");
    await see(person, "Egress ended: failed, error 500");
    if (javaScript) expect(await faultsOfPage(person.page)).toEqual([]);
    await participant(person, "cccccc").click();
    await see(person, "Their network let no sound and picture through.");
    await see(person, "This is likely, not certain.");
    await see(person, "1 person got through in the half hour around it, on this same server.");
    if (javaScript) expect(await faultsOfPage(person.page)).toEqual([]);
    await person.page.getByRole("link", { name: "0a1b2c", exact: true }).click();
    await participant(person, "aaaaaa").click();
    await see(person, "The connection ended without a goodbye. Why cannot be known.");
    await person.page.getByRole("link", { name: "0a1b2c", exact: true }).click();
    await participant(person, "bbbbbb").click();
    await see(person, "Nothing is known to have gone wrong in this call.");
    await person.visit(`/dashboard/servers/${unused.server}/sessions`);
    await see(person, "No session has been reported yet.");
    if (javaScript) expect(await faultsOfPage(person.page)).toEqual([]);
  }
});
