import type { Page, WebSocket } from "playwright-core";
import { beforeEach, test } from "vitest";
import { storePlan } from "../../support/billing/store-plan.ts";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { enrolMachine } from "../../support/servers/connect-server.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

beforeEach(resetFakes);

const email = "customer.one@example.com";
/** Well before a page reads itself again without a notification. */
const soon = { timeout: 20_000 };

/** Somebody with a machine that has introduced itself, on the page of its server. */
async function atServer(person: OpenPage) {
  const owner = await person.signIn();
  await storePlan(email, "pro");
  const deployment = await storeDeployment(email, fullOptions());
  const path = `/dashboard/deployments/${deployment}`;
  const machine = await enrolMachine(owner, path, "i-live");
  const opened: WebSocket[] = [];
  person.page.on("websocket", (socket) => void opened.push(socket));
  await person.visit(`/dashboard/servers/${machine.server}`);
  return { owner, machine, path, opened };
}

const isLive = (page: Page) => page.getByText("Live", { exact: true }).waitFor();

const stage = "stage\tconnected\t1795313600";

test("a report appears without a reload, on the server's page and its deployment's", async () => {
  await using person = await openPage();
  const { page } = person;
  const { machine, path } = await atServer(person);
  await isLive(page);
  await machine.report(1, [stage]);
  await page.getByText("Booting: secrets").waitFor(soon);
  await machine.report(2, [stage, "stage\tsecrets\t1795313601"]);
  await page.getByText("Booting: packages").waitFor(soon);
  await person.visit(path);
  await isLive(page);
  await machine.report(3, ["metric\tparticipants\t7"]);
  await page.getByText("7 in calls").waitFor(soon);
});

test("a lost connection says so, and the page catches up when it is back", async () => {
  await using person = await openPage();
  const { page } = person;
  const { machine } = await atServer(person);
  await isLive(page);
  await page.context().setOffline(true);
  await page.getByText("Not live: reconnecting…").waitFor();
  await machine.report(1, [stage]);
  await page.context().setOffline(false);
  await page.getByText("Booting: secrets").waitFor(soon);
  await isLive(page);
});

test("a page whose session has ended elsewhere leads to the sign-in at once", async () => {
  await using person = await openPage();
  const { page } = person;
  const { owner } = await atServer(person);
  await isLive(page);
  // The console also asks by itself whether its session lives: here it is the socket that says so.
  await person.hold("/auth/refresh");
  await owner.post("/signout", { scope: "local" });
  await page.waitForURL(/\/signin/, soon);
});
