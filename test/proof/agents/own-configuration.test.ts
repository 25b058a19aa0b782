import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import {
  changeOwn,
  newTokenOf,
  readConfiguration,
  report,
  reportOf,
  saveVersions,
  userConfiguration,
} from "../../support/agents/agent.ts";
import { violations } from "../../support/browser/axe.ts";
import { openPage } from "../../support/browser/browser.ts";
import { userIdOf } from "../../support/database/database.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

beforeEach(resetFakes);

const main = (page: Page) => page.getByRole("main");
const configurationForm = (page: Page) =>
  main(page).locator("form").filter({ hasText: "Update Configuration" });
const savedElsewhere = {
  intent: "save",
  model: "theirs",
  instructions: "",
  voice: "nova",
  "inputAudioTranscription.model": "whisper-2",
};
const fits = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);

test("a customer saves, meets a refusal at its field, and brings an old version back", async () => {
  await using person = await openPage();
  const { page } = person;
  const visitor = await person.signIn();
  await person.visit("/openai-config");
  await page.getByText("Nothing is saved yet").waitFor();
  const form = configurationForm(page);
  const model = form.getByLabel("Model", { exact: true });
  expect(await model.inputValue()).toBe("gpt-4o-mini-realtime-preview");
  expect(await page.getByText("This is a demo").count()).toBe(0);

  await model.fill("two words");
  person.expectProblem("400 POST /openai-config/own.data");
  await form.getByRole("button", { name: "Update Configuration" }).click();
  await form.getByRole("alert").getByText("Error: The name of a model has no spaces.").waitFor();
  expect(await model.getAttribute("aria-invalid")).toBe("true");
  expect(await model.inputValue()).toBe("two words");

  await model.fill("first-model");
  await form.getByLabel("Voice").selectOption("Nova");
  await form.getByRole("button", { name: "Update Configuration" }).click();
  await form.getByText("Configuration updated successfully!").waitFor();
  await form.getByText(/^Version 1, saved .* UTC by customer\.one@example\.com\./).waitFor();
  await model.fill("second-model");
  await form.getByRole("button", { name: "Update Configuration" }).click();
  await form.getByText(/^Version 2, saved/).waitFor();

  const versions = page.getByRole("region", { name: "Versions" });
  await versions.getByText("Version 1", { exact: true }).click();
  await versions.getByRole("button", { name: "Restore version 1" }).click();
  await form.getByText("Version 1 is in force again, as version 3.").waitFor();
  expect(await model.inputValue()).toBe("first-model");
  await page
    .getByRole("region", { name: "What the agent reads" })
    .getByText('"model": "first-model"')
    .first()
    .waitFor();
  expect((await userConfiguration(visitor)).version).toBe(3);
});

test("the oldest of many versions is found and brought back", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.signIn();
  await saveVersions(await userIdOf("customer.one@example.com"), 102);
  await person.visit("/openai-config");
  const versions = page.getByRole("region", { name: "Versions" });
  await versions.getByText("Version 3", { exact: true }).waitFor();
  expect(await versions.getByText("Version 2", { exact: true }).count()).toBe(0);
  await versions.getByRole("button", { name: "Show older versions" }).click();
  await versions.getByText("Version 1", { exact: true }).click();
  expect(await versions.getByRole("button", { name: "Show older versions" }).count()).toBe(0);
  await versions.getByRole("button", { name: "Restore version 1" }).click();
  await page.getByText("Version 1 is in force again, as version 103.").waitFor();
  await versions.getByText("Version 103, in force").waitFor();
  // None is lost between the newest and those that were asked for.
  await versions.getByText("Version 3", { exact: true }).waitFor();
  expect(await versions.getByRole("listitem").count()).toBe(103);
});

test("what is typed outlives a save elsewhere, which the versions show, and a failed reading", async () => {
  await using person = await openPage();
  const { page } = person;
  const visitor = await person.signIn();
  await person.visit("/openai-config");
  await page.getByText("Nothing is saved yet").waitFor();
  const form = configurationForm(page);
  const model = form.getByLabel("Model", { exact: true });
  await model.fill("mine");
  await changeOwn(visitor, { ...savedElsewhere, version: "0" });
  person.expectProblem("409 POST /openai-config/own.data");
  await form.getByRole("button", { name: "Update Configuration" }).click();
  await form.getByRole("alert").getByText("saved elsewhere in the meantime").waitFor();
  const versions = page.getByRole("region", { name: "Versions" });
  await versions.getByText("Version 1, in force").waitFor();
  expect(await model.inputValue()).toBe("mine");
  await form.getByRole("button", { name: "Update Configuration" }).click();
  await form.getByText("Configuration updated successfully!").waitFor();
  expect((await userConfiguration(visitor)).configuration.model).toBe("mine");

  await model.fill("not yet saved");
  await page.route("**/openai-config/own.data*", (route) =>
    route.request().method() === "GET" ? route.abort() : route.continue(),
  );
  person.expectProblem("net::ERR_FAILED");
  const tokens = page.getByRole("region", { name: "Tokens for agents" });
  await tokens.getByLabel("Name of the token").fill("Front desk");
  await tokens.getByRole("button", { name: "Make a token" }).click();
  await page.getByRole("alert").getByText("The site cannot be reached.").waitFor();
  await tokens.locator("code").filter({ hasText: /^lkd_/ }).waitFor();
  expect(await model.inputValue()).toBe("not yet saved");
  await page.unroute("**/openai-config/own.data*");
  await page.getByRole("button", { name: "Try again" }).click();
  await tokens.getByText("Revoke Front desk").waitFor();
  expect(await model.inputValue()).toBe("not yet saved");
});

test("a token is shown once and works until it is revoked", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.signIn();
  await person.visit("/openai-config");
  const tokens = page.getByRole("region", { name: "Tokens for agents" });
  await tokens.getByLabel("Name of the token").fill("Front desk");
  await tokens.getByRole("button", { name: "Make a token" }).click();
  await tokens.getByText("Copy the token now: it is not shown again.").waitFor();
  const token = (await tokens.locator("code").filter({ hasText: /^lkd_/ }).textContent()) ?? "";
  expect((await readConfiguration(token)).status).toBe(200);
  await person.visit("/openai-config");
  await tokens.getByText(/^….*, last used .* UTC$/).waitFor();
  expect(await page.content()).not.toContain(token);
  await tokens.getByText("Revoke Front desk").click();
  await tokens.getByRole("button", { name: "Revoke now" }).click();
  await tokens.getByText("The token is revoked: nothing gets in with it any more.").waitFor();
  await tokens.getByText("Revoke Front desk").waitFor({ state: "detached" });
  expect((await readConfiguration(token)).status).toBe(401);
});

test("the statistics are one's own: a range, a chart with its table, identities and CSV", async () => {
  await using person = await openPage();
  const { page } = person;
  const visitor = await person.signIn();
  const token = await newTokenOf(visitor);
  await report(token, [
    reportOf("1", "ada", "2026-10-01T12:00:00Z"),
    reportOf("2", "ada", "2026-10-03T12:00:00Z"),
    reportOf("3", "bob", "2026-10-03T12:00:00Z"),
  ]);
  await person.visit("/openai-config");
  const section = page.getByRole("region", { name: "Token Usage Statistics" });
  await section.getByLabel("First day").fill("2026-10-01");
  await section.getByLabel("Last day").fill("2026-10-31");
  await section.getByRole("button", { name: "Show" }).click();
  await section.getByText("3 responses from 2026-10-01 to 2026-10-31.").waitFor();
  const sums = section.getByRole("table", { name: "Tokens by direction and kind" });
  expect(await sums.getByRole("cell").allTextContents()).toEqual(
    [480, 300, 225, 75, 30, 180, 135, 45].map(String),
  );
  await section
    .getByRole("img", {
      name: "Tokens per day from 2026-10-01 to 2026-10-31: used on 2 of 31 days, most on 2026-10-03 with 320.",
    })
    .waitFor();
  await section.getByText("The days as a table").click();
  const days = section.getByRole("table", { name: "Tokens per day" });
  await days.getByRole("row", { name: "2026-10-03 2 200 120 320" }).waitFor();

  await section.getByLabel("Identity to limit").fill("bob");
  await section.getByLabel("Tokens left").fill("1000");
  await section.getByRole("button", { name: "Set allowance" }).click();
  await section.getByText("bob has 1000 tokens left.").waitFor();
  const identities = section.getByRole("table", { name: "Tokens per identity" });
  await identities.getByRole("row", { name: "bob 1 160 1000" }).waitFor();

  await section.getByLabel("Identity", { exact: true }).fill("bob");
  await section.getByRole("button", { name: "Show" }).click();
  await section.getByText("1 response by bob from 2026-10-01 to 2026-10-31.").waitFor();
  const link = section.getByRole("link", { name: "Download CSV" });
  const csv = await visitor.request((await link.getAttribute("href")) ?? "");
  expect((await csv.text()).split("\r\n")[1]).toBe("2026-10-03,bob,1,160,100,75,25,10,60,45,15");

  expect(await violations(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await violations(page)).toEqual([]);
  expect(await fits(page)).toBe(true);
  await page.evaluate(() => document.documentElement.classList.add("dark"));
  expect(await violations(page, ["color-contrast", "link-in-text-block"])).toEqual([]);
});

test("a user whose session has ended reads so, and is led to sign-in", async () => {
  await using person = await openPage();
  const { page } = person;
  const visitor = await person.signIn();
  await visitor.post("/signout", {});
  await page.context().clearCookies({ name: /^sb-/ });
  person.expectProblem("401 GET /openai-config/own.data");
  await person.visit("/openai-config");
  await page.getByRole("alert").getByText("Sign in to continue.").waitFor();
  await main(page).getByRole("link", { name: "Sign in" }).click();
  await person.arrive("/signin");
});

test("without JavaScript a customer is led to their own configuration", async () => {
  await using person = await openPage({ javaScript: false });
  const { page } = person;
  await person.signIn();
  await person.visit("/openai-config");
  await page.getByRole("link", { name: "Open my saved configuration" }).click();
  await person.arrive("/dashboard/models");
});
