import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { pinned } from "../../../app/features/deployments/bundle/versions.ts";
import { storePlan } from "../../support/billing/store-plan.ts";
import { openPage } from "../../support/browser/browser.ts";
import { renderedText } from "../../support/browser/page-actions.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { scriptVariants } from "../../support/run/variants.ts";
import { Machine } from "../../support/servers/machine.ts";
import { administrated, machineCommands } from "../../support/servers/machine-command.ts";
import { serversAt } from "../../support/servers/servers-at.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";

beforeEach(resetFakes);

const email = "customer.one@example.com";

test.each(scriptVariants)(
  "a token is made, a machine connects, boots and is healthy, and a clone wants to replace it, $script",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    await person.signIn();
    await storePlan(email, "basic");
    const id = await storeDeployment(email, fullOptions());
    await person.visit(`/dashboard/deployments/${id}`);
    await page.getByText("No server reports yet.").waitFor();
    await page.getByRole("button", { name: "Make a token" }).click();
    await page.getByText("Copy the token now").waitFor();
    const token = await renderedText(page.getByText(/^lkd_e_/));

    const machine = new Machine(serversAt(siteUrl), "i-first");
    expect(await machine.enrol(token.replace(/\s/g, ""))).toMatchObject({ status: 200 });
    await person.visit(`/dashboard/deployments/${id}`);
    await page.getByText("Waiting for its first report").waitFor();
    await page.getByRole("link", { name: "sfu-1" }).click();
    await page.getByRole("heading", { level: 1, name: "sfu-1" }).waitFor();
    await page.getByText("The doctor of this server has not looked yet.").waitFor();
    await page.getByRole("link", { name: "Deployment: Production" }).waitFor();
    const way = page.getByRole("navigation", { name: "Breadcrumbs" });
    expect(await renderedText(way)).toMatch(/Deployments\s+\W*\s*Production\s+\W*\s*sfu-1/);

    await machine.report(1, ["stage\tconnected\t1795313600", "stage\tsecrets\t1795313601"]);
    if (!javaScript) await page.reload();
    await page.getByText("Booting: packages").waitFor();

    const now = Math.floor(Date.now() / 1_000);
    await machine.report(2, [
      ...["metric\tparticipants\t3", `doctor\t${now}`],
      "finding\tdisk.filling\twarning\t/\t85 %\t80 %",
    ]);
    await person.visit(new URL(page.url()).pathname);
    await page.getByText("Degraded: The disk fills up").waitFor();
    await page.getByText("3 in calls").waitFor();
    await page.getByText("recordings in /opt/livekit/out are yours").waitFor();

    const clone = new Machine(serversAt(siteUrl), "i-clone");
    clone.key = machine.key;
    await clone.report(3);
    await person.visit(new URL(page.url()).pathname);
    await page.getByText("Another machine wants to replace this server").waitFor();
    await page.getByRole("button", { name: "Refuse", exact: true }).click();
    await page
      .getByText("Another machine wants to replace this server")
      .waitFor({ state: "detached" });

    await page.getByText("Disconnect it from the console").click();
    await page.getByRole("button", { name: "Disconnect sfu-1" }).click();
    await page.getByText("Disconnected since").waitFor();
    expect(await machine.report(4)).toMatchObject({ status: 410 });
  },
);

test.each(scriptVariants)(
  "who has made a token revokes it, and learns that it is done, $script",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    await person.signIn();
    await storePlan(email, "pro");
    const id = await storeDeployment(email, fullOptions());
    await person.visit(`/dashboard/deployments/${id}`);
    await page.getByRole("button", { name: "Make a token" }).click();
    await page.getByText("Copy the token now").waitFor();
    const token = (await renderedText(page.getByText(/^lkd_e_/))).replace(/\s/g, "");
    const summary = page.getByText("Revoke all tokens");
    await summary.click();
    await page.getByText("One token can still connect machines, until").waitFor();
    await page.getByRole("button", { name: "Revoke now" }).click();
    const done = page.getByText("All tokens are revoked. Connected servers report on.");
    await done.waitFor();
    await summary.waitFor({ state: "detached" });
    if (javaScript) await expect.poll(() => done.evaluate(isFocused)).toBe(true);
    const refused = await new Machine(serversAt(siteUrl), "i-stranger").enrol(token);
    expect(refused).toMatchObject({ status: 410, lines: { refused: "token-revoked" } });
  },
);

test("an advisory of what a server runs is on its page beside the command that ends it", async () => {
  await using commands = machineCommands();
  await using person = await openPage();
  const { page } = person;
  const owner = await person.signIn();
  await storePlan(email, "basic");
  const options = fullOptions();
  const versions = { ...options.versions, livekit: "v1.13.9" };
  const id = await storeDeployment(email, { ...options, versions });
  const answer = await owner.post(`/dashboard/deployments/${id}/bundle.zip`, {
    ...{ version: "1", connect: "yes" },
  });
  const file = join(commands.folder, "affected.zip");
  writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
  const booted = commands.start([file, "--fast", "--every", "3600"]);
  await booted.until("Ctrl-C switches it off");
  const { run } = administrated(join(commands.machines, "machine-1"));

  await person.visit("/dashboard?show=affected");
  await page.getByRole("link", { name: "machine-1" }).click();
  await page.getByRole("heading", { level: 1, name: "machine-1" }).waitFor();
  const finding = page.locator("#findings").getByRole("listitem");
  await finding.getByText("Update needed", { exact: true }).waitFor();
  await finding
    .getByText("A version that can be attacked from the internet runs: livekit")
    .waitFor();
  const command = (await finding.locator("code").textContent()) ?? "";
  expect(command).toBe(`sudo livekit-deploy update --to livekit=${pinned.livekit.tag}`);
  expect(await run("doctor", ["--quiet"])).toContain(`next: ${command}`);

  const [, name = "", ...args] = command.split(" ");
  expect(await run(name, args)).toContain("Updated. All services are healthy.");
  expect(await run("health", [])).not.toContain("known fault");
  expect(await run("console", ["report"])).toBe("");
  await page.getByText("It found nothing wrong.").waitFor();
  await finding.waitFor({ state: "detached" });
  await person.visit("/dashboard?show=affected");
  await page.getByText("No server matches.").waitFor();
});

const isFocused = (element: Element) => element === document.activeElement;
