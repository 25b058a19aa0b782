import { beforeEach, expect, test } from "vitest";
import { storePlan } from "../../support/billing/store-plan.ts";
import { faultsOfPage } from "../../support/browser/axe.ts";
import { openPage } from "../../support/browser/browser.ts";
import { renderedText } from "../../support/browser/page-actions.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { scriptVariants } from "../../support/run/variants.ts";
import { connectMachine } from "../../support/servers/connect-server.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

beforeEach(resetFakes);

const email = "customer.one@example.com";
const lines = ["metric\tparticipants\t7", "metric\trooms\t2", "load\t0.5", "cpus\t4"];

test.each(scriptVariants)(
  "the figures of a server are shown for 48 hours, 7 and 90 days, each by its address, $script",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    const owner = await person.signIn();
    await storePlan(email, "basic");
    const deployment = await storeDeployment(email, fullOptions());
    const identity = { instance: "i-figures", certificate: "live.mycompany.com" };
    const machine = await connectMachine({ owner, deployment }, identity);
    await machine.report(2, [...lines, "memory\t4000000\t16000000", "network\t1000\t2000"]);
    await person.visit(`/dashboard/servers/${machine.server}`);
    for (const [name, range] of [
      ["7 days", "7d"],
      ["90 days", "90d"],
      ["48 hours", "48h"],
    ] as const) {
      await page.getByRole("link", { name, exact: true }).click();
      await page.waitForURL(new RegExp(`range=${range}`));
      const words = `Participants in the last ${name}: 7 at the end, at least 7, at most 7.`;
      await page.getByRole("img", { name: words }).waitFor();
      const current = page.getByRole("navigation", { name: "How far back the figures go" });
      expect(await renderedText(current.locator("[aria-current]"))).toBe(name);
    }
    await page.getByText("Memory as a table").click();
    await page.getByRole("cell", { name: "3.8 GiB" }).first().waitFor();
    // What looks for faults is a script itself.
    if (javaScript) expect(await faultsOfPage(page)).toEqual([]);
  },
);
