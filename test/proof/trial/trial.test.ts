import { beforeEach, expect, test } from "vitest";
import {
  endTrialWords,
  trialBanner,
  trialButton,
  trialNeedsAccount,
} from "../../../app/content/trial.ts";
import { violations } from "../../support/browser/axe.ts";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

beforeEach(resetFakes);

const isTooWide = ({ page }: OpenPage) =>
  page.evaluate(() => document.documentElement.scrollWidth > innerWidth);

/** The page fits, and axe finds nothing on it. */
async function expectFine(visitor: OpenPage, where: string) {
  expect.soft(await isTooWide(visitor), `${where} is too wide`).toBe(false);
  expect.soft(await violations(visitor.page), where).toEqual([]);
}

test.each(["light", "dark"] as const)(
  "a phone in the %s theme: the page, the trial, an incident, a page without use, and the home page from there",
  async (theme) => {
    const viewport = { width: 320, height: 640 };
    // What fades in has not its colours yet.
    await using visitor = await openPage({ theme, viewport, reducedMotion: true });
    const { page } = visitor;
    await visitor.visit("/try");
    await expectFine(visitor, `${theme} try`);
    await page.getByRole("button", { name: trialButton }).click();
    await visitor.arrive("/dashboard");
    await expectFine(visitor, `${theme} overview`);
    await page.getByRole("link", { name: "sfu-frankfurt-2" }).click();
    await page.getByRole("button", { name: "Acknowledge", exact: true }).click();
    await page.getByRole("button", { name: "Take the acknowledgement back" }).waitFor();
    await expectFine(visitor, `${theme} incident`);
    await visitor.visit("/dashboard/alerts");
    await page.getByText(trialNeedsAccount).waitFor();
    await expectFine(visitor, `${theme} alerts`);
    await visitor.visit("/");
    await page.getByRole("banner").getByRole("link", { name: "Sign in" }).waitFor();
    await page.getByRole("banner").getByRole("link", { name: "Early Access" }).waitFor();
    await expectFine(visitor, `${theme} home`);
    await page.getByRole("button", { name: trialButton }).first().click();
    await visitor.arrive("/dashboard");
    await visitor.visit("/signout/trial");
    await page.getByRole("button", { name: endTrialWords.button }).waitFor();
    await expectFine(visitor, `${theme} sign-out`);
  },
);

test("without script: a press, an acknowledgement, and a server that boots on with each reading", async () => {
  await using visitor = await openPage({ javaScript: false });
  const { page } = visitor;
  await visitor.visit("/try");
  await page.getByRole("button", { name: trialButton }).click();
  await page.getByLabel(trialBanner.label, { exact: true }).waitFor();
  await page.getByText(/^Booting: /).waitFor();
  await page.getByRole("link", { name: "sfu-frankfurt-2" }).click();
  await page.getByRole("button", { name: "Acknowledge", exact: true }).click();
  await page.getByRole("button", { name: "Take the acknowledgement back" }).waitFor();
  await page.getByRole("link", { name: trialBanner.signUp }).click();
  await page.getByRole("heading", { level: 1, name: /Get Started/ }).waitFor();
});
