import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { readConfiguration, userConfiguration } from "../../support/agents/agent.ts";
import { openPage } from "../../support/browser/browser.ts";
import { renderedText } from "../../support/browser/page-actions.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

beforeEach(resetFakes);

const email = "customer.one@example.com";
const formOf = (page: Page) =>
  page.getByRole("main").locator("form").filter({ hasText: "Update Configuration" });
const modelOf = (page: Page) => formOf(page).getByLabel("Model", { exact: true });
const inConsole = (page: Page) => page.getByRole("navigation", { name: "Console" }).waitFor();

test("a save shows as a version at once, a refusal at its field, and an old version comes back", async () => {
  await using person = await openPage();
  const { page } = person;
  const visitor = await person.signIn(email);
  await person.visit("/dashboard/models");
  const form = formOf(page);
  await modelOf(page).fill("two words");
  person.expectProblem("400 POST /openai-config/own.data");
  await form.getByRole("button", { name: "Update Configuration" }).click();
  await form.getByRole("alert").getByText("Error: The name of a model has no spaces.").waitFor();
  expect(await modelOf(page).inputValue()).toBe("two words");
  for (const [place, model] of ["first-model", "second-model"].entries()) {
    await modelOf(page).fill(model);
    await form.getByRole("button", { name: "Update Configuration" }).click();
    await form.getByText(new RegExp(`^Version ${place + 1}, saved`)).waitFor();
  }
  const versions = page.getByRole("region", { name: "Versions" });
  await versions.getByText("Version 1", { exact: true }).click();
  await versions.getByRole("button", { name: "Restore version 1" }).click();
  await form.getByText("Version 1 is in force again, as version 3.").waitFor();
  expect(await modelOf(page).inputValue()).toBe("first-model");
  expect((await userConfiguration(visitor)).version).toBe(3);
});

testInProof(
  "without script a customer saves, restores, makes and revokes tokens, and loses nothing typed",
  async () => {
    await using person = await openPage({ javaScript: false });
    const { page } = person;
    const visitor = await person.signIn(email);
    await person.visit("/dashboard/models");
    const form = formOf(page);
    const save = form.getByRole("button", { name: "Update Configuration" });
    await modelOf(page).fill("first-model");
    await save.click();
    await form.getByText("Configuration updated successfully!").waitFor();
    await inConsole(page);
    person.expectProblem("400 POST /dashboard/models");
    await modelOf(page).fill("two words");
    await save.click();
    await form.getByRole("alert").getByText("Error: The name of a model has no spaces.").waitFor();
    expect(await modelOf(page).inputValue()).toBe("two words");
    await modelOf(page).fill("second-model");
    await save.click();
    await form.getByText(/^Version 2, saved/).waitFor();

    const versions = page.getByRole("region", { name: "Versions" });
    await versions.getByText("Version 1", { exact: true }).click();
    await versions.getByRole("button", { name: "Restore version 1" }).click();
    await form.getByText("Version 1 is in force again, as version 3.").waitFor();
    expect(await modelOf(page).inputValue()).toBe("first-model");

    const tokens = page.getByRole("region", { name: "Tokens for agents" });
    await tokens.getByLabel("Name of the token").fill("My agent");
    await tokens.getByRole("button", { name: "Make a token" }).click();
    const token = await renderedText(tokens.getByText(/^lkd_/));
    expect(await (await readConfiguration(token)).text()).toContain("first-model");
    await tokens.getByText("Revoke My agent").click();
    await tokens.getByRole("button", { name: "Revoke now" }).click();
    await tokens.getByText("The token is revoked").waitFor();
    expect((await userConfiguration(visitor)).tokens).toEqual([]);
  },
);
