import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { openPage } from "../../../support/browser/browser.ts";
import { openAccountMenu, signOut } from "../../../support/browser/page-actions.ts";
import { testInProof } from "../../../support/run/variants.ts";
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

test("signing out in one tab closes the private pages of the others at once, and coming back leads there", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.signIn();
  await keeping(page, () => person.visit("/dashboard"));
  const other = await page.context().newPage();
  await keeping(other, () => other.goto("/dashboard?from=here"));
  person.expectProblem("401 POST /auth/refresh");

  await signOut(page);
  await person.arrive("/");
  await other.waitForURL("**/signin?next=%2Fdashboard%3Ffrom%3Dhere");
  await other.getByRole("button", { name: "Sign in", exact: true }).waitFor();
});

testInProof(
  "signing out empties what pages kept in the browser, and leaves the theme as it was chosen",
  async () => {
    await using person = await openPage();
    const { page } = person;
    await person.signIn();
    await keeping(page, () => person.visit("/dashboard"));
    await openAccountMenu(page);
    await page.getByRole("button", { name: "Dark theme" }).click();
    await page.evaluate(() => {
      localStorage.setItem("mail-merge somebody", "receivers");
      localStorage.setItem("deploymentDraft", "{}");
      sessionStorage.setItem("google-tool somebody gmail send", "{}");
      sessionStorage.setItem("contact-draft", "{}");
    });
    await page.getByRole("button", { name: "Sign out" }).click();
    await person.arrive("/");
    const storage = await page.evaluate(() => ({
      local: Object.entries(localStorage),
      session: Object.keys(sessionStorage).filter((name) => !name.startsWith("react-router")),
      dark: document.documentElement.classList.contains("dark"),
      carried: window.name,
    }));
    expect(storage).toEqual({
      local: [["darkMode", "true"]],
      session: [],
      dark: true,
      carried: "",
    });
  },
);

testInProof("going back after signing out shows no private page", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.signIn();
  await keeping(page, () => person.visit("/dashboard"));
  await signOut(page);
  await person.arrive("/");
  await page.goBack();
  await person.arrive("/signin");
  await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
});

testInProof(
  "a page put away whole is blank until the server has said that its session lives",
  async () => {
    await using person = await openPage();
    const { page } = person;
    await person.signIn();
    await keeping(page, () => person.visit("/dashboard"));
    const heading = page.getByRole("heading", { name: "Overview" });
    const transition = (type: string) =>
      page.evaluate((name) => {
        dispatchEvent(new PageTransitionEvent(name, { persisted: true }));
      }, type);
    const held = await person.hold("/auth/refresh");
    await transition("pagehide");
    await heading.waitFor({ state: "hidden" });
    const refresh = page.waitForRequest("**/auth/refresh");
    await transition("pageshow");
    await turn(page, "visible");
    await refresh;
    expect(await heading.isVisible()).toBe(false);
    held.release();
    await heading.waitFor();

    await transition("pagehide");
    await page.context().clearCookies();
    person.expectProblem("401 POST /auth/refresh");
    await transition("pageshow");
    await person.arrive("/signin");
  },
);
