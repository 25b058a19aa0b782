import { beforeEach, expect, test } from "vitest";
import { storePlan } from "../../support/billing/store-plan.ts";
import { desktop, faultsOfPage } from "../../support/browser/axe.ts";
import { openPage } from "../../support/browser/browser.ts";
import { newcomer } from "../../support/provider-faults/users.ts";
import { enterAs, see } from "../../support/screens/screen.ts";
import { Machine } from "../../support/servers/machine.ts";
import { serversAt } from "../../support/servers/servers-at.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";

beforeEach(resetFakes);

const found = "Found: LiveKit v1.9.11 in Docker Compose at /opt/livekit/docker-compose.yaml";

/** What the script says of a LiveKit of livekit/deploy whose metrics are off. */
const layoutLines = [
  "layout\tcompose\t/opt/livekit/docker-compose.yaml\t/opt/livekit/livekit.yaml\tlivekit\t\tdocker\tcaddy",
  "fact\tanswers\tyes",
  "fact\tmetrics\tno",
  "fact\treadable\tyes",
  "service\tlivekit\tlivekit/livekit-server:v1.9.11\trunning\t",
  "release\tlivekit\tv1.9.11",
];

test("somebody whose LiveKit runs already connects it from the empty overview, sees it come, and reads what is missing; without script too, and at 320 px", async () => {
  for (const javaScript of [true, false]) {
    const email = `${javaScript ? "with" : "without"}@example.com`;
    const { browser: owner } = await newcomer(siteUrl, email);
    await owner.request("/dashboard");
    await storePlan(email, "pro");
    await using person = await openPage({
      ...{ theme: javaScript ? "light" : "dark", reducedMotion: true, javaScript },
      viewport: javaScript ? desktop : { width: 320, height: 640 },
      timeZone: "Europe/Berlin",
    });
    const { page } = person;
    person.expectProblem("400 POST /dashboard/servers/connect");
    await enterAs(person, owner);
    await person.visit("/dashboard");
    await page.getByRole("link", { name: "Connect it as it is" }).click();
    await see(person, "Connect a server that runs");
    if (javaScript) expect(await faultsOfPage(page)).toEqual([]);
    await page.getByLabel("Name of the server").fill("two words");
    await page.getByRole("button", { name: "Make the command" }).press("Enter");
    await see(person, "Use letters, digits, dots and hyphens");
    expect(await page.getByLabel("Name of the server").inputValue()).toBe("two words");
    await page.getByLabel("Name of the server").fill("sfu-eu-1");
    await page.getByLabel("Name of the server").press("Enter");
    await see(person, "Connect sfu-eu-1");
    await see(person, "sha256sum -c");
    const text = (await page.locator("main").textContent()) ?? "";
    const [token = ""] = /lkd_e_[0-9a-f]{32}_[A-Za-z0-9]{43}_[0-9a-f]{16}/.exec(text) ?? [];
    expect(token).not.toBe("");
    if (javaScript) expect(await faultsOfPage(page)).toEqual([]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(javaScript ? 1_280 : 320);
    // The script can be read before it is run.
    await page.getByText("Read the script (").click();
    await see(person, "#!/bin/sh");

    const machine = new Machine(serversAt(siteUrl), "i-1");
    expect((await machine.enrol(token)).status).toBe(200);
    if (!javaScript) await person.visit("/dashboard/servers/connect");
    await see(person, "Waiting for its first report");
    expect((await machine.report(1, layoutLines)).status).toBe(200);
    if (!javaScript) await person.visit("/dashboard/servers/connect");
    await see(person, found);
    await page.getByRole("link", { name: "sfu-eu-1" }).click();
    await see(person, "What is missing");
    await see(person, "sudo chmod o-r /opt/livekit/livekit.yaml");
    await page.getByText("Disconnect it from the console").click();
    await see(person, "sudo /opt/livekit-connect/livekit-connect remove");
    if (javaScript) expect(await faultsOfPage(page)).toEqual([]);
  }
});
