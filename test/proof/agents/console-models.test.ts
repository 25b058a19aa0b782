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
import { openPage } from "../../support/browser/browser.ts";
import { renderedText } from "../../support/browser/page-actions.ts";
import { userIdOf } from "../../support/database/database.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { newWorkspace } from "../../support/workspaces/workspaces.ts";

beforeEach(resetFakes);

const email = "customer.one@example.com";
const formOf = (page: Page) =>
  page.getByRole("main").locator("form").filter({ hasText: "Update Configuration" });
const modelOf = (page: Page) => formOf(page).getByLabel("Model", { exact: true });

test("model configuration and usage stand in the console, one press from its overview", async () => {
  await using person = await openPage();
  const { page } = person;
  const visitor = await person.signIn(email);
  await report(await newTokenOf(visitor), reportOf("event", "ada"));
  await person.visit("/dashboard");
  const navigation = page.getByRole("navigation", { name: "Console" });
  await navigation.getByRole("link", { name: "Models" }).click();
  await person.arrive("/dashboard/models");
  await page.getByRole("heading", { level: 1, name: "Models" }).waitFor();
  expect(await modelOf(page).inputValue()).toBe("gpt-4o-mini-realtime-preview");
  await page.getByRole("heading", { name: "Tokens for agents" }).waitFor();
  await navigation.getByRole("link", { name: "Usage" }).click();
  await person.arrive("/dashboard/usage");
  await page.getByLabel("First day").fill("2026-10-01");
  await page.getByRole("button", { name: "Show" }).click();
  await page.getByText("1 response from").waitFor();
  await page.getByRole("rowheader", { name: "ada" }).waitFor();
  expect(await page.getByRole("contentinfo").count()).toBe(0);
});

test("what is there comes with the page, and no script asks for it", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.signIn(email);
  const paths: string[] = [];
  page.on("request", (request) => paths.push(new URL(request.url()).pathname));
  await person.visit("/dashboard/models");
  await person.visit("/dashboard/usage");
  await page.getByText("No usage from").waitFor();
  expect(paths.filter((path) => path.startsWith("/openai-config"))).toEqual([]);
});

test("what a colleague saved meanwhile is not overwritten by the first press", async () => {
  await using person = await openPage();
  const { page } = person;
  const visitor = await person.signIn(email);
  await person.visit("/dashboard/models");
  await changeOwn(visitor, {
    intent: "save",
    version: "0",
    model: "theirs",
    instructions: "",
    voice: "nova",
    "inputAudioTranscription.model": "whisper-2",
  });
  await modelOf(page).fill("mine");
  person.expectProblem("409 POST /openai-config/own.data");
  await formOf(page).getByRole("button", { name: "Update Configuration" }).click();
  await page.getByRole("alert").getByText("saved elsewhere in the meantime").waitFor();
  expect(await modelOf(page).inputValue()).toBe("mine");
  await page
    .getByRole("region", { name: "Versions" })
    .getByText("Version 1", { exact: true })
    .waitFor();
  await formOf(page).getByRole("button", { name: "Update Configuration" }).click();
  await formOf(page)
    .getByText(/^Version 2, saved/)
    .waitFor();
});

test("a form on the page of a workspace changes that workspace, and its older versions are found", async () => {
  await using person = await openPage();
  const { page } = person;
  const visitor = await person.signIn(email);
  const team = await newWorkspace(email, "team");
  await runSql(
    `insert into public.model_configuration_versions
       (workspace_id, version, model, instructions, voice, transcription_model, saved_by)
     select $1, n, 'model-' || n, '', 'nova', 'whisper', 'ada' from generate_series(1, 102) n`,
    [team.id],
  );
  await person.visit("/dashboard/w/team/models");
  const versions = page.getByRole("region", { name: "Versions" });
  await versions.getByRole("button", { name: "Show older versions" }).click();
  await versions.getByText("Version 1", { exact: true }).waitFor();
  await modelOf(page).fill("team-model");
  await formOf(page).getByRole("button", { name: "Update Configuration" }).click();
  await formOf(page)
    .getByText(/^Version 103, saved/)
    .waitFor();
  expect(await modelOf(page).inputValue()).toBe("team-model");
  expect(await userConfiguration(visitor)).toMatchObject({ version: 0, versions: [] });
});

test("without script a token for one thing, with an end, is made; a refused name loses no choice", async () => {
  await using person = await openPage({ javaScript: false });
  const { page } = person;
  const visitor = await person.signIn(email);
  await person.visit("/dashboard/models");
  const tokens = page.getByRole("region", { name: "Tokens for agents" });
  const name = tokens.getByLabel("Name of the token");
  const scope = tokens.getByLabel("What the agent may do with it");
  const end = tokens.getByLabel("When it ends");
  const make = tokens.getByRole("button", { name: "Make a token" });
  await name.fill(" ");
  await scope.selectOption("Report usage");
  await end.selectOption("In 90 days");
  person.expectProblem("400 POST /dashboard/models");
  await make.click();
  await tokens.getByText("Name the token in 1 to 60 characters.").waitFor();
  expect([await scope.inputValue(), await end.inputValue()]).toEqual(["usage", "90"]);
  await name.fill("Reports");
  await make.click();
  const token = await renderedText(tokens.getByText(/^lkd_/));
  await tokens.getByText(/^Report usage only, until \w/).waitFor();
  expect([await scope.inputValue(), await end.inputValue()]).toEqual(["", ""]);
  expect((await report(token, reportOf("event"))).status).toBe(200);
  expect((await readConfiguration(token)).status).toBe(401);
  expect((await userConfiguration(visitor)).tokens).toMatchObject([
    { name: "Reports", scopes: ["usage"] },
  ]);
});

test("without script the oldest of many versions is found", async () => {
  await using person = await openPage({ javaScript: false });
  const { page } = person;
  await person.signIn(email);
  await saveVersions(await userIdOf(email), 102);
  await person.visit("/dashboard/models");
  const versions = page.getByRole("region", { name: "Versions" });
  await versions.getByText("Version 3", { exact: true }).waitFor();
  await versions.getByRole("button", { name: "Show older versions" }).click();
  await versions.getByText("Version 1", { exact: true }).waitFor();
  await formOf(page)
    .getByText(/^Version 102, saved/)
    .waitFor();
});

test("without script usage is chosen by day and identity, and an allowance is set", async () => {
  await using person = await openPage({ javaScript: false });
  const { page } = person;
  const visitor = await person.signIn(email);
  const token = await newTokenOf(visitor);
  await report(token, reportOf("one", "ada"));
  await report(token, reportOf("two", "grace"));
  await person.visit("/dashboard/usage?from=2026-10-01");
  await page.getByText("2 responses from").waitFor();
  await page.getByLabel("Identity", { exact: true }).fill("ada");
  await page.getByRole("button", { name: "Show" }).click();
  await page.getByText("1 response by ada from").waitFor();
  await page.getByLabel("Identity to limit").fill("ada");
  await page.getByLabel("Tokens left").fill("9999999999999999");
  person.expectProblem("400 POST /dashboard/usage");
  await page.getByRole("button", { name: "Set allowance" }).click();
  await page.getByText("An allowance is a whole number of tokens, 0 or more.").waitFor();
  expect(await page.getByLabel("Identity to limit").inputValue()).toBe("ada");
  await page.getByLabel("Tokens left").fill("500");
  await page.getByRole("button", { name: "Set allowance" }).click();
  await page.getByText("ada has 500 tokens left.").waitFor();
  await page.getByRole("cell", { name: "500", exact: true }).waitFor();
  person.expectProblem("400 GET /dashboard/usage");
  await page.getByLabel("First day").fill("2026-10-02");
  await page.getByLabel("Last day").fill("2026-10-01");
  await page.getByRole("button", { name: "Show" }).click();
  await page.getByText("The last day must not be before the first.").waitFor();
  expect(await page.getByLabel("First day").inputValue()).toBe("2026-10-02");
});

test("both pages fit 320 pixels", async () => {
  await using person = await openPage({ viewport: { width: 320, height: 640 } });
  const { page } = person;
  const visitor = await person.signIn(email);
  await report(await newTokenOf(visitor), reportOf("event", "ada"));
  for (const path of ["/dashboard/models", "/dashboard/usage?from=2026-10-01"]) {
    await person.visit(path);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  }
});
