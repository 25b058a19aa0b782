import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";
import { demoMs, noteRequests, stopClock, submitDemo } from "../../support/contact/demo-submit.ts";

const words = { button: "Update Configuration", busy: "Updating..." };

const form = (page: Page) => page.getByRole("main").locator("form").first();

/** What the page says that the agent reads. */
const configuration = async (page: Page) =>
  JSON.parse(
    (await page
      .getByRole("region", { name: "What the agent reads" })
      .locator("pre")
      .textContent()) ?? "",
  );

test("the form has its fields, choices and defaults", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/openai-config");
  await page.getByRole("heading", { level: 1, name: "Model Configuration", exact: true }).waitFor();
  const model = form(page).getByLabel("Model", { exact: true });
  expect(await model.getAttribute("type")).toBe("text");
  expect(await model.inputValue()).toBe("gpt-4o-mini-realtime-preview");
  const instructions = form(page).getByLabel("Instructions", { exact: true });
  expect(await instructions.evaluate((element) => element.tagName)).toBe("TEXTAREA");
  expect(await instructions.inputValue()).toMatch(/assistant/);
  const voice = form(page).getByLabel("Voice", { exact: true });
  const voices = ["Shimmer", "Alloy", "Echo", "Fable", "Onyx", "Nova"];
  expect(await voice.getByRole("option").allInnerTexts()).toEqual(voices);
  expect(await voice.inputValue()).toBe("shimmer");
  const transcription = form(page).getByLabel("Audio transcription model", { exact: true });
  expect(await transcription.getAttribute("type")).toBe("text");
  expect(await transcription.inputValue()).toBe("whisper-1");
  expect(await configuration(page)).toEqual({
    model: "gpt-4o-mini-realtime-preview",
    instructions: await instructions.inputValue(),
    modalities: ["text", "audio"],
    voice: "shimmer",
    inputAudioTranscription: { model: "whisper-1" },
  });
  await page.getByText("This is a demo: nothing is sent").waitFor();
  const signUp = page.getByRole("link", { name: "Sign up to make it real" });
  expect(await signUp.getAttribute("href")).toBe("/signup");
});

test("an update takes a second, sends nothing and shows what the agent would read", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.clock.install();
  await person.visit("/openai-config");
  await stopClock(page);
  await form(page).getByLabel("Model", { exact: true }).fill("gpt-realtime");
  await form(page).getByLabel("Instructions").fill('Say "hello".\nThen listen.');
  await form(page).getByLabel("Voice").selectOption("Nova");
  await form(page).getByLabel("Audio transcription model").fill("whisper-2");
  await submitDemo(form(page), words);
  const done = form(page).getByRole("status");
  expect(await done.textContent()).toBe("Configuration updated successfully!");
  expect(await done.getAttribute("class")).toMatch(/border-signal/);
  expect(await configuration(page)).toEqual({
    model: "gpt-realtime",
    instructions: 'Say "hello".\nThen listen.',
    modalities: ["text", "audio"],
    voice: "nova",
    inputAudioTranscription: { model: "whisper-2" },
  });
});

test.each(["Model", "Audio transcription model"])(
  "a failure of %s is shown in a red box, and what was typed stays",
  async (label) => {
    await using person = await openPage();
    const { page } = person;
    await page.clock.install();
    await person.visit("/openai-config");
    await stopClock(page);
    const before = await configuration(page);
    await form(page).getByLabel(label, { exact: true }).fill("no such model");
    await submitDemo(form(page), words);
    const alert = form(page).getByRole("alert");
    expect(await alert.textContent()).toBe("Error: The name of a model has no spaces.");
    expect(await alert.getAttribute("class")).toMatch(/border-failure/);
    expect(await form(page).getByLabel(label, { exact: true }).inputValue()).toBe("no such model");
    expect(await configuration(page)).toEqual(before);
    await form(page).getByRole("button", { name: words.button }).click();
    await form(page).getByRole("button", { name: words.busy }).waitFor();
    await alert.waitFor({ state: "detached" });
  },
);

test("the keyboard alone updates, and leaving the page calls it off", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.clock.install();
  await person.visit("/openai-config");
  await stopClock(page);
  await form(page).getByLabel("Model", { exact: true }).focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("O");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await form(page).getByRole("button", { name: words.busy }).waitFor();
  await page.clock.runFor(demoMs);
  await form(page).getByText("Configuration updated successfully!").waitFor();
  expect((await configuration(page)).voice).toBe("onyx");
  await form(page).getByRole("button", { name: words.button }).press("Enter");
  await page.getByRole("banner").getByRole("link", { name: "FAQ" }).click();
  await person.arrive("/faq");
  await page.clock.runFor(demoMs);
});

test("the statistics are the eight sample figures, and say that they are a sample", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/openai-config");
  const section = page.getByRole("region", { name: "Token Usage Statistics", exact: true });
  await section.getByText("Sample figures").waitFor();
  const rows = await section
    .getByRole("row")
    .evaluateAll((found) => found.map((row) => [...row.children].map((cell) => cell.textContent)));
  expect(rows).toEqual([
    ["Kind", "Tokens"],
    ["Total", "1500"],
    ["Input", "500"],
    ["Input text", "400"],
    ["Input audio", "100"],
    ["Cachedof the input", "0"],
    ["Output", "1000"],
    ["Output text", "800"],
    ["Output audio", "200"],
  ]);
});

test("the sample logs usage after each response and subtracts it per user identity", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/openai-config");
  const section = page.getByRole("region", { name: "Count tokens per user" });
  const samples = (await section.locator("pre").allTextContents()).join("\n");
  for (const name of ["userId", "totalTokens", "eventId", "timestamp", "usageRaw"]) {
    expect(samples).toContain(name);
  }
  expect(samples).toContain('"response.done"');
  expect(await section.locator("pre span[class]").count()).toBeGreaterThan(30);
  expect(await section.locator("[style]").count()).toBe(0);
});

test("without JavaScript everything can be read, and no update is offered", async () => {
  await using person = await openPage({ javaScript: false });
  const { page } = person;
  await person.visit("/openai-config");
  await page.getByText("The demo itself needs JavaScript").waitFor();
  expect(await form(page).getByRole("button").count()).toBe(0);
  const requests = noteRequests(page);
  await form(page).getByLabel("Model", { exact: true }).press("Enter");
  expect(requests).toEqual([]);
  expect((await configuration(page)).voice).toBe("shimmer");
  await page.getByRole("cell", { name: "1500" }).waitFor();
});
