import { beforeEach, expect, test } from "vitest";
import { trialBanner, trialButton } from "../../../app/content/trial.ts";
import { violations } from "../../support/browser/axe.ts";
import { openPage } from "../../support/browser/browser.ts";
import { controlFleet } from "../../support/servers/control-fleet.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";
import { trialOf } from "../../support/trial/begin-trial.ts";

beforeEach(resetFakes);

/** From the first page to an acknowledged incident. */
const budgetMs = 60_000;

test("from the home page to an acknowledged incident within a minute, by clicks alone, and a server boots before one's eyes", async () => {
  await using visitor = await openPage();
  const { page } = visitor;
  const began = performance.now();
  await visitor.visit("/");
  await page.getByRole("button", { name: trialButton }).first().click();
  await visitor.arrive("/dashboard");
  await page.getByLabel(trialBanner.label, { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("link", { name: "sfu-frankfurt-2" }).click();
  await page.getByRole("button", { name: "Acknowledge", exact: true }).click();
  await page.getByRole("button", { name: "Take the acknowledgement back" }).waitFor();
  expect(performance.now() - began).toBeLessThan(budgetMs);
  expect(await violations(page)).toEqual([]);

  // The page is not read again by hand: it sees the boot go on, and its end.
  await page.getByRole("link", { name: "Overview", exact: true }).click();
  await page.getByRole("link", { name: "staging-1" }).click();
  await page.getByRole("heading", { level: 1, name: "staging-1" }).waitFor();
  await page.getByText(/^Booting: /).waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
  const { workspace } = await trialOf();
  await controlFleet(siteUrl, workspace, "clock", { ms: 40_000 });
  await page.getByText("Healthy", { exact: true }).waitFor();
});
