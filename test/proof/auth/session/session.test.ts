import type { Page, Route } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { openPage } from "../../../support/browser/browser.ts";
import { signOut } from "../../../support/browser/page-actions.ts";
import { resetFakes } from "../../../support/site/control-fakes.ts";
import { pollUntil } from "../../../support/site/poll.ts";

beforeEach(resetFakes);

/** Makes a page believe that it is shown or hidden, as when somebody turns to another tab. */
async function turn(page: Page, to: "visible" | "hidden") {
  await page.evaluate((state) => {
    Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
    Object.defineProperty(document, "hidden", { value: state === "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, to);
}

/** Counts how often pages ask for a refresh. */
function countRefreshes(page: Page) {
  const methods: string[] = [];
  page.context().on("request", (request) => {
    if (new URL(request.url()).pathname === "/auth/refresh") methods.push(request.method());
  });
  return methods;
}

/** A signed-in person at the dashboard, whose clock we turn. */
async function atDashboard(person: Awaited<ReturnType<typeof openPage>>) {
  const { page } = person;
  await page.clock.install();
  await person.signIn();
  await keeping(page, () => person.visit("/dashboard"));
}

/** Goes somewhere and waits until the page keeps its session: it listens for changes of cookies then. */
async function keeping(page: Page, go: () => Promise<unknown>) {
  await go();
  const inspector = await page.context().newCDPSession(page);
  await pollUntil(
    async () => {
      const { result } = await inspector.send("Runtime.evaluate", { expression: "cookieStore" });
      const { objectId = "" } = result;
      return (await inspector.send("DOMDebugger.getEventListeners", { objectId })).listeners.length;
    },
    (count) => count > 0,
    30_000,
  );
  await inspector.detach();
}

test("a page that is looked at asks for a refresh in time, a hidden one does not, a returning one does", async () => {
  await using person = await openPage();
  const { page } = person;
  await atDashboard(person);
  const refreshes = countRefreshes(page);

  const answered = page.waitForResponse("**/auth/refresh");
  await page.clock.fastForward("01:00:00");
  expect((await answered).status()).toBe(200);
  expect(refreshes).toEqual(["POST"]);

  await turn(page, "hidden");
  await page.clock.fastForward("05:00:00");
  expect(refreshes).toEqual(["POST"]);

  const returned = page.waitForResponse("**/auth/refresh");
  await turn(page, "visible");
  expect((await returned).status()).toBe(200);
  await page.getByRole("heading", { name: "Overview" }).waitFor();
});

test("while the auth server is away the page stays and asks again, later each time", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.addInitScript(() => {
    const send = window.fetch;
    const times: number[] = [];
    const fetch: typeof send = (...given) => {
      if (given[0] === "/auth/refresh") times.push(Date.now());
      return send(...given);
    };
    Object.assign(window, { fetch, askedAt: times });
  });
  await atDashboard(person);
  await page.route("**/auth/refresh", (route) => route.fulfill({ status: 503, body: "{}" }));
  person.expectProblem("503 POST /auth/refresh");
  await page.clock.fastForward("01:00:00");
  const times = await pollUntil(
    async () => {
      await page.clock.runFor(100);
      return page.evaluate((): number[] => Reflect.get(window, "askedAt"));
    },
    ({ length }) => length > 3,
  );
  const pauses = times.slice(1, 4).map((time, index) => time - (times[index] ?? 0));
  expect(pauses.map((pause, index) => pause >= 200 * 2 ** index)).toEqual([true, true, true]);
  await page.getByRole("heading", { name: "Overview" }).waitFor();
});

test("a page whose form leads nowhere still goes blank at a sign-out elsewhere, and leaves for the sign-in", async () => {
  await using person = await openPage();
  const { page } = person;
  await atDashboard(person);
  await page.evaluate(() => {
    document.addEventListener("submit", (event) => event.preventDefault());
  });
  await signOut(page);
  await page.context().clearCookies();
  await page.getByRole("heading", { name: "Overview" }).waitFor({ state: "hidden" });
  person.expectProblem("401 POST /auth/refresh");
  await page.clock.fastForward("00:05");
  await person.arrive("/signin");
});

test("a page whose form was sent before its script came waits for where it leads, too", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.clock.install();
  await person.signIn();
  const script = await person.hold(/\/assets\/keep-session-/);
  const scriptRequest = page.waitForRequest(/\/assets\/keep-session-/);
  await person.visit("/dashboard");
  await scriptRequest;
  await page.evaluate(() => {
    document.addEventListener("submit", (event) => event.preventDefault());
  });
  await signOut(page);
  const refreshes = countRefreshes(page);
  await keeping(page, async () => script.release());
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 2_000);
  await page.context().clearCookies();
  await page.getByRole("heading", { name: "Overview" }).waitFor({ state: "hidden" });
  expect(refreshes).toEqual([]);
});

test("a page that was hidden while somebody signed out shows nothing private when it is turned to", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.signIn();
  await keeping(page, () => person.visit("/dashboard"));
  await turn(page, "hidden");
  const other = await page.context().newPage();
  await other.goto("/dashboard");
  await signOut(other);
  await other.waitForURL((url) => url.pathname === "/");
  const held = await person.hold("/auth/refresh");
  person.expectProblem("401 POST /auth/refresh");
  await turn(page, "visible");
  await page.getByRole("heading", { name: "Overview" }).waitFor({ state: "hidden" });
  held.release();
  await person.arrive("/signin");
});

test("an answer from before a sign-out does not bring the private page back", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.signIn();
  await keeping(page, () => person.visit("/dashboard"));
  const answered = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const late = async (route: Route) => {
    const response = await route.fetch();
    answered.resolve();
    await released.promise;
    await route.fulfill({ response });
  };
  await page.route("**/auth/refresh", late, { times: 1 });
  await turn(page, "visible");
  await answered.promise;
  await page.context().clearCookies();
  await page.getByRole("heading", { name: "Overview" }).waitFor({ state: "hidden" });
  person.expectProblem("401 POST /auth/refresh");
  released.resolve();
  await person.arrive("/signin");
});

test("two tabs that refresh at the same time stay signed in", async () => {
  await using person = await openPage();
  const { page } = person;
  const visitor = await person.signIn();
  visitor.expireSession();
  await page.context().clearCookies();
  await page
    .context()
    .addCookies(
      [...visitor.cookies].map(([name, value]) => ({ name, value, url: visitor.siteUrl })),
    );
  const other = await page.context().newPage();
  await Promise.all([person.visit("/dashboard"), other.goto("/dashboard")]);
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await other.getByRole("heading", { name: "Overview" }).waitFor();
  await Promise.all([page.reload(), other.reload()]);
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await other.getByRole("heading", { name: "Overview" }).waitFor();
});
