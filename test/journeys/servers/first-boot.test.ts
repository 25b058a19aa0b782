import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { mailsTo } from "../../support/auth/inbox.ts";
import { buy } from "../../support/billing/hosted-pages.ts";
import { openPage } from "../../support/browser/browser.ts";
import { database, personalWorkspaceOf, userIdOf } from "../../support/database/database.ts";
import { pagerEvents, webhookAddress, webhookBodies } from "../../support/servers/arrived.ts";
import { controlFleet } from "../../support/servers/control-fleet.ts";
import { machineCommands } from "../../support/servers/machine-command.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";

beforeEach(resetFakes);

const email = "customer.one@example.com";
const minute = 60_000;

/** Moves the clock of the customer's fleet, and does what is due by then. */
async function moveFleetClock(ms: number): Promise<void> {
  const workspace = await personalWorkspaceOf(await userIdOf(email));
  await controlFleet(siteUrl, workspace, "clock", { ms });
}

const routingKey = "e93facc04764012d7bfb002500d5d1a6";

/** The notification that each channel got about the server, the oldest first. */
async function notificationsOf() {
  const mails = (await mailsTo(email)).map(({ subject }) => subject).toReversed();
  return {
    mail: mails.filter((subject) => subject.includes("machine-1")),
    pager: (await pagerEvents(routingKey)).map(({ event_action }) => event_action),
    webhook: (await webhookBodies("team")).map(({ type }) => type),
  };
}

const down = {
  mail: ["machine-1 is down"],
  pager: ["trigger"],
  webhook: ["incident.opened"],
};
const over = {
  mail: [...down.mail, "machine-1 is well again"],
  pager: [...down.pager, "resolve"],
  webhook: [...down.webhook, "incident.closed"],
};

const stages = [
  "Connected",
  "Secrets",
  "Packages",
  "Docker and tools",
  "Images",
  "Services",
  "Ready",
];

/** From now on notes in the document which stages its list shows as reached. A document that is loaded anew has no notes. */
function noteStages(page: Page): Promise<void> {
  return page.evaluate(() => {
    const noted: string[][] = [];
    Object.assign(window, { noted });
    new MutationObserver(() => {
      const items = [...document.querySelectorAll("#boot li")];
      const reached = items.filter((item) => item.querySelector("time") !== null);
      const titles = reached.map((item) => item.querySelector(".font-strong")?.textContent ?? "");
      if (items.length > 0 && titles.length !== noted.at(-1)?.length) noted.push(titles);
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
}

/** The same document as when stages began to be noted: each list that it has shown since. */
async function notedStages(page: Page): Promise<string[][]> {
  const noted = await page.evaluate(() => Reflect.get(window, "noted") as string[][] | undefined);
  if (!noted) throw new Error("The page was loaded anew");
  return noted;
}

test("from an empty account to a server that boots, is healthy, falls silent, comes back and is copied", async () => {
  await using commands = machineCommands();
  await using person = await openPage();
  const { page } = person;
  // A page's ticket is of a minute. Where the clock is moved before its socket is there, the fleet says that it has ended.
  person.allowProblem("/v1/live' failed: Error during handshake: Unexpected response code: 401");
  // Chromium has two sentences for that answer.
  person.allowProblem("/v1/live' failed: HTTP Authentication failed");
  const owner = await person.signIn();
  await buy(owner, "basic");
  await person.visit("/dashboard");
  await page.getByLabel("Domain").fill("live.mycompany.com");
  await page.getByRole("button", { name: "Create with good defaults" }).click();
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download the files" }).click();
  const zip = await (await downloading).path();

  const channels: Record<string, string>[] = [
    { intent: "add-pagerduty", key: routingKey },
    { intent: "add-webhook", url: webhookAddress("team") },
  ];
  for (const channel of channels) {
    expect((await owner.post("/dashboard/alerts", channel)).status).toBeLessThan(400);
  }

  // From here on no page is read again by hand.
  const { data: deployment } = await database.from("deployments").select("id").single();
  await person.visit(`/dashboard/deployments/${deployment?.id}`);
  await page.getByText("No server reports yet.").waitFor();
  await noteStages(page);
  const first = commands.start([zip]);
  await page.getByRole("link", { name: "machine-1" }).first().click();
  await page.getByRole("heading", { level: 1, name: "machine-1" }).waitFor();
  const address = new URL(page.url()).pathname;
  await page.getByText("Healthy", { exact: true }).first().waitFor();
  await page
    .getByText(/^\d+ in calls$/)
    .first()
    .waitFor();
  // Each list is the beginning of all stages, and goes further than the one before.
  const noted = await notedStages(page);
  expect(noted).toEqual(noted.map(({ length }) => stages.slice(0, length)));
  const lengths = noted.map(({ length }) => length);
  expect(lengths).toEqual(lengths.toSorted((one, other) => one - other));
  expect(lengths.length).toBeGreaterThan(1);
  await first.end();

  const silent = commands.start(["--fault", "silent"]);
  await silent.until("reports no more");
  await moveFleetClock(4 * minute);
  await page.getByText("Down since").first().waitFor();
  await moveFleetClock(10 * minute);
  expect(await notificationsOf()).toEqual(down);
  await silent.end();

  const back = commands.start(["--every", "1"]);
  await back.until("Ctrl-C switches it off");
  await page.getByText("Healthy", { exact: true }).first().waitFor();
  for (let passed = 1; passed <= 7; passed += 1) {
    const before = back.output.split(" in calls").length;
    await moveFleetClock(minute);
    await expect.poll(() => back.output.split(" in calls").length).toBeGreaterThan(before);
  }
  await expect.poll(notificationsOf).toEqual(over);
  const past = page.locator("#incidents").getByRole("listitem");
  await past.getByText("The server is down").waitFor();
  await back.end();

  const copied = commands.start(["--every", "2", "--fault", "clone"]);
  await copied.until("Allow this one on the server's page");
  await page.getByText("Another machine wants to replace this server").waitFor();
  // It is nobody's server before somebody allows it.
  expect(copied.output).not.toContain("it has the server's place now");
  expect(await page.locator("#changes").getByText("Another machine replaced it").count()).toBe(0);
  await page.getByRole("button", { name: "Allow", exact: true }).click();
  await copied.until("it has the server's place now");
  await page.locator("#changes").getByText("Another machine replaced it").waitFor();
  await notedStages(page);
  await person.visit(address);
  await page.getByRole("heading", { level: 1, name: "machine-1" }).waitFor();
  await page.getByText("Healthy", { exact: true }).first().waitFor();
  // The history is that of the server, whichever machine it is.
  await past.getByText("The server is down").waitFor();
  await page.locator("#changes").getByText("Another machine replaced it").waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
  // Nobody is woken by a copy.
  expect(await notificationsOf()).toEqual(over);
  await copied.end();
});
