import { beforeEach, expect, test } from "vitest";
import { mailsTo } from "../../support/auth/inbox.ts";
import { buy } from "../../support/billing/hosted-pages.ts";
import { openPage } from "../../support/browser/browser.ts";
import { database, personalWorkspaceOf, userIdOf } from "../../support/database/database.ts";
import { machineCommands } from "../../support/servers/machine-command.ts";
import { serversAt } from "../../support/servers/servers-at.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";

beforeEach(resetFakes);

const email = "customer.one@example.com";
const minute = 60_000;

/** Moves the clock of the customer's fleet, and does what is due by then. */
async function moveFleetClock(ms: number): Promise<void> {
  const workspace = await personalWorkspaceOf(await userIdOf(email));
  const path = `/_local/clock?workspace=${workspace}&ms=${ms}`;
  const moved = await serversAt(siteUrl).askServers(path, {
    method: "POST",
    headers: {},
    body: "",
  });
  expect(moved.status).toBe(200);
}

/** What was mailed about servers, newest first. */
async function told(): Promise<string[]> {
  const mails = await mailsTo(email);
  return mails.map(({ subject }) => subject).filter((subject) => subject.includes("machine-1"));
}

test("from an empty account to a server that boots, is healthy, falls silent, comes back and is copied", async () => {
  await using commands = machineCommands();
  await using person = await openPage();
  const { page } = person;
  // A fleet whose clock was moved takes a page's ticket for one that has ended.
  person.allowProblem("WebSocket connection to");
  await buy(await person.signIn(), "basic");
  await person.visit("/dashboard");
  await page.getByLabel("Domain").fill("live.mycompany.com");
  await page.getByRole("button", { name: "Create with good defaults" }).click();
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download the files" }).click();
  const zip = await (await downloading).path();

  // From here on no page is read again by hand.
  const { data: deployment } = await database.from("deployments").select("id").single();
  await person.visit(`/dashboard/deployments/${deployment?.id}`);
  await page.getByText("No server reports yet.").waitFor();
  const first = commands.start([zip]);
  await page.getByRole("link", { name: "machine-1" }).first().click();
  await page.getByRole("heading", { level: 1, name: "machine-1" }).waitFor();
  const address = new URL(page.url()).pathname;
  const stages = page.getByRole("listitem").filter({
    has: page.getByText(/^(Connected|Secrets|Packages|Docker and tools|Images|Services|Ready)$/),
  });
  await stages.nth(6).waitFor();
  await expect.poll(() => stages.getByText(/^(to come|under way)$/).count()).toBe(0);
  await page.getByText("Healthy", { exact: true }).first().waitFor();
  await page
    .getByText(/^\d+ in calls$/)
    .first()
    .waitFor();
  await first.end();

  const silent = commands.start(["--fault", "silent"]);
  await silent.until("reports no more");
  await moveFleetClock(4 * minute);
  await page.getByText("Down since").first().waitFor();
  await moveFleetClock(10 * minute);
  expect(await told()).toHaveLength(1);
  await silent.end();

  const back = commands.start(["--every", "1"]);
  await back.until("Ctrl-C switches it off");
  await page.getByText("Healthy", { exact: true }).first().waitFor();
  for (let passed = 1; passed <= 7; passed += 1) {
    const before = back.said.split(" in calls").length;
    await moveFleetClock(minute);
    await expect.poll(() => back.said.split(" in calls").length).toBeGreaterThan(before);
  }
  await expect.poll(told).toEqual(["machine-1 is well again", "machine-1: The server is down"]);
  const past = page.locator("#incidents").getByRole("listitem");
  await past.getByText("The server is down").waitFor();
  await back.end();

  const copied = commands.start(["--every", "2", "--fault", "clone"]);
  await copied.until("Allow this one on the server's page");
  await page.getByText("Another machine wants to replace this server").waitFor();
  await page.getByRole("button", { name: "Allow", exact: true }).click();
  await copied.until("it has the server's place now");
  await person.visit(address);
  await page.getByRole("heading", { level: 1, name: "machine-1" }).waitFor();
  await page.getByText("Healthy", { exact: true }).first().waitFor();
  // The history is that of the server, whichever machine it is.
  await past.getByText("The server is down").waitFor();
  await page.locator("#changes").getByText("Another machine replaced it").waitFor();
  await copied.end();
});
