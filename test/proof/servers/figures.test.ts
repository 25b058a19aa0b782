import { beforeEach, expect, test } from "vitest";
import { storePlan } from "../../support/billing/store-plan.ts";
import { faultsOfPage } from "../../support/browser/axe.ts";
import { openPage } from "../../support/browser/browser.ts";
import { renderedText } from "../../support/browser/page-actions.ts";
import { tabTo } from "../../support/browser/tab-to.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { scriptVariants } from "../../support/run/variants.ts";
import { connectMachine } from "../../support/servers/connect-server.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

beforeEach(resetFakes);

const email = "customer.one@example.com";
const lines = ["metric\tparticipants\t7", "metric\trooms\t2", "load\t0.5", "cpus\t4"];

test.each(scriptVariants)(
  "the figures of a server are shown for an hour, six, 48 hours, 7 and 90 days, each by its address, $script",
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
    const current = page.getByRole("navigation", { name: "How far back the figures go" });
    // It was connected just now.
    expect(await renderedText(current.locator("[aria-current]"))).toBe("1 hour");
    for (const [name, range] of [
      ["6 hours", "6h"],
      ["7 days", "7d"],
      ["90 days", "90d"],
      ["48 hours", "48h"],
    ] as const) {
      await page.getByRole("link", { name, exact: true }).click();
      await page.waitForURL(new RegExp(`range=${range}`));
      const words = `Participants in the last ${name}: 7 at the end, at least 7, at most 7.`;
      await page.getByRole("img", { name: words }).waitFor();
      expect(await renderedText(current.locator("[aria-current]"))).toBe(name);
    }
    await page.getByText("Memory as a table").click();
    await page.getByRole("cell", { name: "3.8 GiB" }).first().waitFor();
    // What looks for faults is a script itself.
    if (javaScript) expect(await faultsOfPage(page)).toEqual([]);
  },
);

test("a chart says the value at a time, pointed at or chosen by the arrow keys, and with it all others do", async () => {
  await using person = await openPage();
  const { page } = person;
  const owner = await person.signIn();
  await storePlan(email, "basic");
  const deployment = await storeDeployment(email, fullOptions());
  const identity = { instance: "i-pointed", certificate: "live.mycompany.com" };
  const machine = await connectMachine({ owner, deployment }, identity);
  await machine.report(2, lines);
  await person.visit(`/dashboard/servers/${machine.server}?range=90d`);
  const figure = (name: string) => page.getByRole("figure").filter({ hasText: name });
  const participants = page.getByRole("slider", { name: "Participants: the value at a time" });
  const valueText = () => participants.getAttribute("aria-valuetext");
  await tabTo(page, participants);
  expect(await valueText()).toMatch(/^[A-Z][a-z]{2} \d+, 2\d{3}, .+: 7$/);
  await page.keyboard.press("ArrowLeft");
  await expect.poll(valueText).toMatch(/: not reported$/);
  await figure("Load").getByText("not reported", { exact: false }).first().waitFor();
  await page.keyboard.press("Home");
  const first = await valueText();
  await page.keyboard.press("End");
  await expect.poll(valueText).toMatch(/: 7$/);
  expect(first).not.toBe(await valueText());

  await page.keyboard.press("Tab");
  const box = await participants.boundingBox();
  if (!box) throw new Error("The drawing has no place");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await figure("Participants").locator("figcaption").getByText("not reported").waitFor();
  await page.mouse.move(box.x + box.width - 0.2, box.y + box.height / 2);
  await figure("Load").locator("figcaption").getByText("0.50").waitFor();
  await page.mouse.move(0, 0);
  await figure("Load").locator("figcaption").getByText("last").waitFor();
});
