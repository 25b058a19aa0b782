import type { Page, WebSocket } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { stages } from "~/features/servers/state/state.ts";
import { storePlan } from "../../support/billing/store-plan.ts";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { renderedText } from "../../support/browser/page-actions.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { enrolMachine } from "../../support/servers/connect-server.ts";
import { startSiteWithoutFleets } from "../../support/servers/site-without-fleets.ts";
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

/** Has the browser report the page as visible or hidden, as when somebody changes tabs. */
function show(page: Page, state: "visible" | "hidden"): Promise<void> {
  return page.evaluate((to) => {
    Object.defineProperty(document, "visibilityState", { value: to, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);
}

const stage = "stage\tconnected\t1795313600";

test("what is reported while the page reads itself again appears after that reading", async () => {
  await using person = await openPage();
  const { page } = person;
  const { machine, opened } = await atServer(person);
  await isLive(page);
  const readings = `**/dashboard/servers/${machine.server}.data*`;
  const held = Promise.withResolvers<void>();
  const reading = Promise.withResolvers<void>();
  await page.route(
    readings,
    async (route) => {
      const response = await route.fetch();
      reading.resolve();
      await held.promise;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  await machine.report(1, [stage]);
  await reading.promise;
  const notified = opened[0]?.waitForEvent("framereceived", ({ payload }) => payload !== "pong");
  await machine.report(2, [stage, "stage\tsecrets\t1795313601"]);
  await notified;
  // Playwright sees the frame before the page does: one more task of the page later it has acted upon it.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  held.resolve();
  await page.getByText("Booting: packages").waitFor(soon);
});

test("each stage of a first boot appears in its turn, without a reload", async () => {
  await using person = await openPage();
  const { page } = person;
  const { machine } = await atServer(person);
  await isLive(page);
  await page.evaluate(() => Object.assign(window, { isFirstDocument: true }));
  const boot = page.locator("#boot");
  const reached = boot.getByRole("listitem").filter({ has: page.locator("time") });
  const titles = Object.values(stages);
  for (const [at, title] of titles.slice(0, -1).entries()) {
    const codes = Object.keys(stages).slice(0, at + 1);
    await machine.report(
      at + 1,
      codes.map((code, nth) => `stage\t${code}\t${1_795_313_600 + nth}`),
    );
    await reached.filter({ hasText: title }).waitFor(soon);
    expect(await reached.count()).toBe(at + 1);
    expect(await renderedText(boot.locator("[aria-current=step]"))).toContain(titles[at + 1]);
  }
  const all = Object.keys(stages).map((code, nth) => `stage\t${code}\t${1_795_313_600 + nth}`);
  await machine.report(titles.length, all);
  await page.getByText("Healthy", { exact: true }).first().waitFor(soon);
  expect(await page.evaluate(() => "isFirstDocument" in window)).toBe(true);
});

test("a server that introduces itself appears on its deployment's page", async () => {
  await using person = await openPage();
  const { page } = person;
  const { owner, path } = await atServer(person);
  await person.visit(path);
  await isLive(page);
  await enrolMachine(owner, path, "i-second");
  await expect.poll(() => page.getByRole("link", { name: "sfu-1" }).count(), soon).toBe(2);
});

test("a hidden page lets go of its socket, and shows what it missed when it comes back", async () => {
  await using person = await openPage();
  const { page } = person;
  const { machine, opened } = await atServer(person);
  await isLive(page);
  const closed = opened[0]?.waitForEvent("close");
  await show(page, "hidden");
  await closed;
  await machine.report(1, [stage]);
  await show(page, "visible");
  await page.getByText("Booting: secrets").waitFor(soon);
  await isLive(page);
});

test.each([
  { answer: "an error", status: 500 },
  { answer: "that it was asked too often", status: 429 },
])(
  "a page that is answered with $answer stays, says since when it is old, and tries again",
  async ({ status }) => {
    await using person = await openPage();
    const { page } = person;
    const { machine } = await atServer(person);
    await isLive(page);
    const readings = `**/dashboard/servers/${machine.server}.data*`;
    await page.route(readings, (route) => route.fulfill({ status, body: "Not now" }));
    person.expectProblem(`${status} GET /dashboard/servers/${machine.server}.data`);
    await machine.report(1, [stage]);
    const notice = page.getByText(
      /^This page could not be refreshed since .+ tries again by itself/,
    );
    await notice.waitFor(soon);
    await page.getByText("Not live: trying again…").waitFor();
    await page.getByText("Waiting for its first report").waitFor();
    await page.unroute(readings);
    await page.getByText("Booting: secrets").waitFor(soon);
    await notice.waitFor({ state: "detached" });
    await isLive(page);
  },
);

test("the overview stays while its servers cannot be read", async () => {
  await using unreached = await startSiteWithoutFleets();
  await using person = await openPage();
  const { page } = person;
  const { machine } = await atServer(person);
  await machine.report(1, [stage]);
  await person.visit("/dashboard");
  await isLive(page);
  const readings = /\/dashboard\.data/;
  await page.route(readings, async (route) => {
    const { pathname, search } = new URL(route.request().url());
    await route.fulfill({
      response: await route.fetch({ url: unreached.url + pathname + search }),
    });
  });
  await machine.report(2, [stage, "stage\tsecrets\t1795313601"]);
  await page.getByText("This page could not be refreshed since").waitFor(soon);
  await page.getByText("Booting: secrets").waitFor();
  await page.unroute(readings);
  await page.getByText("Booting: packages").waitFor(soon);
});

test("a page that reads itself again shows the error page where it may not be seen any more", async () => {
  await using person = await openPage();
  const { page } = person;
  const { machine } = await atServer(person);
  await isLive(page);
  const path = `/dashboard/servers/${machine.server}.data`;
  await page.route(`**${path}*`, (route) => route.fulfill({ status: 404, body: "" }));
  person.expectProblem(`404 GET ${path}`);
  await machine.report(1, [stage]);
  await page.getByText("This page is not here").waitFor(soon);
});

test("a user who signs in by a form arrives at a live page", async () => {
  await using person = await openPage();
  const { page } = person;
  const { machine } = await atServer(person);
  // An open page of the console would lead to the sign-in by itself.
  await page.goto("about:blank");
  await page.context().clearCookies();
  await person.visit(`/dashboard/servers/${machine.server}`);
  await page.getByRole("button", { name: /Google/ }).click();
  await page.getByRole("button", { name: email }).click();
  await page.getByRole("heading", { level: 1, name: "sfu-1" }).waitFor();
  await isLive(page);
});

test("without script a page says how old it is, and a link reads it again", async () => {
  await using person = await openPage({ javaScript: false });
  const { page } = person;
  const { machine } = await atServer(person);
  await page.getByText("Last read").waitFor();
  expect(await page.getByText("Live", { exact: true }).isVisible()).toBe(false);
  await machine.report(1, [stage]);
  await page.getByRole("link", { name: "Refresh" }).click();
  await page.getByText("Booting: secrets").waitFor();
});

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
