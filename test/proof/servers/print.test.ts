import { beforeEach, expect, test } from "vitest";
import { storePlan } from "../../support/billing/store-plan.ts";
import { openPage } from "../../support/browser/browser.ts";
import { renderedText } from "../../support/browser/page-actions.ts";
import { faultsOnPaper } from "../../support/browser/paper.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { enrolMachines } from "../../support/servers/connect-server.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

beforeEach(resetFakes);

const email = "customer.one@example.com";
const findings = [
  "finding\tport.silent\tcritical\t3478/udp\tsilent\tan answer",
  "finding\tdisk.filling\twarning\t/\t85 %\t80 %",
];

test("the pages of servers are printed black on white, whole, and without what only a screen can do", async () => {
  await using person = await openPage({ theme: "dark" });
  const { page } = person;
  const owner = await person.signIn();
  await storePlan(email, "basic");
  const deployment = await storeDeployment(email, fullOptions());
  const [machine] = await enrolMachines(owner, deployment, 1);
  await machine?.report(1, [...findings, "metric\tparticipants\t3", "memory\t3100000\t8000000"]);

  const pages = {
    [`/dashboard/servers/${machine?.server}`]: [
      "Nobody listens on a public port: 3478/udp",
      "What to do: sudo livekit-deploy logs, and look for 3478/udp",
      "Nobody has acknowledged it yet.",
      "3 last",
      "The last hour.",
    ],
    "/dashboard": ["1 server · something is wrong with 1 · 3 in calls", "3 in calls", "Basic"],
    "/dashboard/alerts": [`Mail to ${email}`, "Only one channel is told."],
  };
  for (const [path, shown] of Object.entries(pages)) {
    await person.visit(path);
    await page
      .getByText(shown[0] ?? "")
      .first()
      .waitFor();
    await page.emulateMedia({ media: "print" });
    expect(await faultsOnPaper(page), path).toEqual([]);
    const text = (await renderedText(page.locator("main"))).replaceAll(/\s+/g, " ");
    for (const words of shown) expect(text, path).toContain(words);
    await page.emulateMedia({ media: "screen" });
  }
});
