import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { closingActions } from "../../support/browser/closing-actions.ts";
import { demoMs, noteRequests, stopClock, submitDemo } from "../../support/contact/demo-submit.ts";
import { specifiedServices } from "../../support/deployments/specified-services.ts";

const words = { button: "Configure Service", busy: "Processing..." };

const cardOf = (page: Page, service: string) =>
  page.getByRole("listitem", { name: service, exact: true });

const dialogOf = (page: Page, service: string) =>
  page.getByRole("dialog", { name: `Configure ${service}`, exact: true });

const storedDraft = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem("deploymentDraft") ?? "null"));

/** Opens `Configure {service}` with time standing still. */
async function open({ page }: OpenPage, service: string) {
  await stopClock(page);
  await cardOf(page, service).getByRole("button", { name: "Configure now", exact: true }).click();
  const dialog = dialogOf(page, service);
  await dialog.waitFor();
  return dialog;
}

/** Chooses an option for each label of `Configure {service}` and submits, which closes the dialog. */
async function configure(
  person: OpenPage,
  service: string,
  choices: Readonly<Record<string, string>>,
) {
  const dialog = await open(person, service);
  for (const [label, option] of Object.entries(choices)) {
    await dialog.getByLabel(label).selectOption(option);
  }
  await submitDemo(dialog, words);
  await dialog.waitFor({ state: "detached" });
}

test("the six services each show what is in them and ask what the specification asks", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.clock.install();
  await person.visit("/services");
  await page.getByRole("heading", { level: 1, name: "Our Services", exact: true }).waitFor();
  const names = await page.getByRole("main").getByRole("heading", { level: 2 }).allInnerTexts();
  expect(names).toEqual([
    ...specifiedServices.map(({ service }) => service),
    "Where the choices lead",
  ]);

  for (const { service, kind, questions } of specifiedServices) {
    const card = cardOf(page, service);
    expect(await card.locator("svg[stroke=currentColor][width='32']").count()).toBe(1);
    expect(await card.getByRole("listitem").count()).toBeGreaterThanOrEqual(3);
    const dialog = await open(person, service);
    expect(new URL(page.url()).search).toBe(`?service=${kind}`);
    for (const { name, label, options, type } of questions) {
      const field = dialog.getByLabel(label, { exact: true });
      expect(await field.getAttribute("name")).toBe(name);
      expect(await field.inputValue()).toBe("");
      if (options) {
        const labels = await field.getByRole("option").allInnerTexts();
        expect(labels).toEqual(["Select an option", ...options]);
      } else {
        expect(await field.getAttribute("type")).toBe(type);
      }
    }
    const fields = await dialog.locator("input, select, textarea").count();
    expect(fields).toBe(questions.length);
    await dialog.getByRole("button", { name: "Configure Service", exact: true }).waitFor();
    await dialog.getByText("This is a demo: nothing is sent").waitFor();
    const signUp = dialog.getByRole("link", { name: "Sign up to make it real" });
    expect(await signUp.getAttribute("href")).toBe("/signup");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(new URL(page.url()).search).toBe("");
  }
});

test("the domain has an example, and an email must look like one", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.clock.install();
  await person.visit("/services");
  const dialog = await open(person, "Security Configuration");
  await dialog.getByPlaceholder("livekit.example.com").waitFor();
  await dialog.getByLabel("Email").fill("nobody");
  await dialog.getByRole("button", { name: "Configure Service" }).click();
  const refused = dialog.getByLabel("Email").and(page.locator(":invalid:focus"));
  await refused.waitFor();
  await dialog.getByRole("button", { name: "Configure Service", exact: true }).waitFor();
});

test("a submit takes a second, sends nothing and keeps the choices in the browser", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.clock.install();
  await person.visit("/services");
  await configure(person, "Multi-Cloud Deployment", {
    Provider: "Digital Ocean",
    Region: "EU West",
  });
  expect(await storedDraft(page)).toEqual({ provider: "Digital Ocean", region: "EU West" });

  const status = page.getByRole("status");
  await status.getByText("2 choices are kept in this browser, nowhere else.").waitFor();
  await cardOf(page, "Multi-Cloud Deployment").getByText("Digital Ocean").first().waitFor();

  await person.visit("/services");
  await status.getByText("2 choices are kept").waitFor();
  let dialog = await open(person, "Multi-Cloud Deployment");
  await expect.poll(() => dialog.getByLabel("Provider").inputValue()).toBe("Digital Ocean");
  expect(await dialog.getByLabel("Region").inputValue()).toBe("EU West");
  expect(await dialog.getByLabel("Instance type").inputValue()).toBe("");
  await dialog.getByLabel("Region").selectOption("Select an option");
  await submitDemo(dialog, words);
  await dialog.waitFor({ state: "detached" });
  expect(await storedDraft(page)).toEqual({ provider: "Digital Ocean" });

  dialog = await open(person, "Security Configuration");
  await dialog.getByLabel("Domain").fill("meet.example.org");
  await dialog.getByLabel("Email").fill("ops@example.org");
  await page.keyboard.press("Enter");
  await page.clock.runFor(demoMs);
  await dialog.waitFor({ state: "detached" });
  await status.getByText("3 choices are kept").waitFor();
  expect(await storedDraft(page)).toEqual({
    provider: "Digital Ocean",
    domain: "meet.example.org",
    email: "ops@example.org",
  });

  await status.getByRole("button", { name: "Clear them" }).click();
  await status.getByText("kept").waitFor({ state: "detached" });
  expect(await storedDraft(page)).toBe(null);
});

test("after the last service was configured, what was kept is said in sight", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.clock.install();
  await person.visit("/services");
  await configure(person, "Easy Management", { "Update schedule": "Weekly" });
  const notice = page.getByRole("status").getByText("1 choice is kept in this browser");
  await notice.waitFor();
  const { y = -1 } = (await notice.boundingBox()) ?? {};
  expect(y).toBeGreaterThan(64);
  expect(y).toBeLessThan(800);
});

test("a service that was left blank says so, and no longer once something is chosen", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.clock.install();
  await person.visit("/services");
  const status = page.getByRole("status");
  const blank = status.getByText("Nothing was chosen.");
  await submitDemo(await open(person, "Easy Management"), words);
  await blank.waitFor();
  const dialog = await open(person, "Easy Management");
  await dialog.getByLabel("Update schedule").selectOption("Weekly");
  await submitDemo(dialog, words);
  await status.getByText("1 choice is kept").waitFor();
  expect(await blank.count()).toBe(0);
});

test("on a phone what was kept takes one line under the bar", async () => {
  await using person = await openPage({ viewport: { width: 320, height: 640 } });
  const { page } = person;
  await page.addInitScript(() => localStorage.setItem("deploymentDraft", '{"turnConfig":"Auto"}'));
  await person.visit("/services");
  const notice = page.getByRole("status").filter({ hasText: "1 choice is kept" });
  await notice.getByRole("button", { name: "Clear it" }).waitFor();
  expect((await notice.boundingBox())?.height).toBeLessThanOrEqual(56);
});

test("an address opens its dialog, with the kept choices in it", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.addInitScript(() =>
    localStorage.setItem("deploymentDraft", '{"turnConfig":"Manual","firewallPreset":"Weird"}'),
  );
  await person.visit("/services?service=server");
  const dialog = dialogOf(page, "Production Ready");
  await expect.poll(() => dialog.getByLabel("TURN configuration").inputValue()).toBe("Manual");
  expect(await dialog.getByLabel("Firewall preset").inputValue()).toBe("");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(new URL(page.url()).search).toBe("");
  await page.getByText("1 choice is kept").waitFor();
});

test.each(["", "nonsense", "__proto__", "deployment,security"])(
  "an unknown service (%j) and a draft of somebody else open nothing and break nothing",
  async (value) => {
    await using person = await openPage();
    const { page } = person;
    await page.addInitScript(() => localStorage.setItem("deploymentDraft", '[["AWS"], {"x'));
    await person.visit(`/services?service=${value}&other=1`);
    await page.getByRole("heading", { name: "Our Services" }).waitFor();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await page.getByText("kept in this browser").count()).toBe(0);
  },
);

test("when the browser keeps nothing, the dialog says so and what was typed stays", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  await page.clock.install();
  await person.visit("/services");
  const dialog = await open(person, "Security Configuration");
  await dialog.getByLabel("Domain").fill("meet.example.org");
  await submitDemo(dialog, words);
  const alert = dialog.getByRole("alert");
  expect(await alert.textContent()).toBe("Something went wrong. Please try again.");
  expect(await dialog.getByLabel("Domain").inputValue()).toBe("meet.example.org");
  await dialog.getByRole("button", { name: "Configure Service" }).click();
  await dialog.getByRole("button", { name: "Processing..." }).waitFor();
  await alert.waitFor({ state: "detached" });
});

test.each(closingActions)("%s calls a submit off, and gives focus back", async (_, close) => {
  await using person = await openPage();
  const { page } = person;
  await page.clock.install();
  await person.visit("/services");
  const dialog = await open(person, "Easy Management");
  await dialog.getByLabel("Update schedule").selectOption("Weekly");
  await dialog.getByRole("button", { name: "Configure Service" }).click();
  await dialog.getByRole("button", { name: "Processing..." }).waitFor();
  await close(page);
  await dialog.waitFor({ state: "detached" });
  await page.clock.runFor(2 * demoMs);
  expect(await storedDraft(page)).toBe(null);
  const opener = cardOf(page, "Easy Management").getByRole("button", { name: "Configure now" });
  await opener.and(page.locator(":focus")).waitFor();
});

test("the keyboard alone opens, answers, submits and leaves no way back into a closed dialog", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.clock.install();
  await person.visit("/");
  await page.getByRole("banner").getByRole("link", { name: "Services" }).press("Enter");
  await person.arrive("/services");
  await stopClock(page);
  const opener = cardOf(page, "Advanced Features").getByRole("button", { name: "Configure now" });
  await opener.focus();
  await page.keyboard.press("Enter");
  const dialog = dialogOf(page, "Advanced Features");
  await dialog.getByLabel("Ingress type").and(page.locator(":focus")).waitFor();
  await page.keyboard.press("B");
  await page.keyboard.press("Tab");
  await page.keyboard.press("S");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.clock.runFor(demoMs);
  await dialog.waitFor({ state: "detached" });
  expect(await storedDraft(page)).toEqual({ ingressType: "Both", recordingStorage: "S3" });
  await opener.and(page.locator(":focus")).waitFor();
  await page.goBack();
  await person.arrive("/");
});

test("a press anywhere on a card opens its dialog", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/services");
  await cardOf(page, "Comprehensive Security").click();
  await dialogOf(page, "Comprehensive Security").waitFor();
});

test("without JavaScript the dialog opens to be read, says what is missing and offers no submit", async () => {
  await using person = await openPage({ javaScript: false });
  const { page } = person;
  await person.visit("/services");
  await cardOf(page, "Security Configuration")
    .getByRole("button", { name: "Configure now" })
    .click();
  await person.arrive("/services");
  const dialog = dialogOf(page, "Security Configuration");
  await dialog.getByText("The demo itself needs JavaScript").waitFor();
  expect(await dialog.getByRole("button").allInnerTexts()).toEqual([""]);
  const requests = noteRequests(page);
  await dialog.getByLabel("Domain").fill("meet.example.org");
  await dialog.getByLabel("Domain").press("Enter");
  expect(requests).toEqual([]);
});

test("without JavaScript the dialog closes to the page", async () => {
  await using person = await openPage({ javaScript: false });
  const { page } = person;
  await person.visit("/services?service=features");
  await dialogOf(page, "Advanced Features").getByRole("button", { name: "Close" }).click();
  await person.arrive("/services");
  await page.getByRole("dialog").waitFor({ state: "detached" });
});
