import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { turnstileControl, withChallenge } from "../../support/auth/turnstile.ts";
import { desktop, faultsOfPage } from "../../support/browser/axe.ts";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { keyboard, mouse } from "../../support/browser/page-actions.ts";
import { fakes, resetFakes } from "../../support/site/control-fakes.ts";
import { portBase, startOwnWorker } from "../../support/site/own-site.ts";

let site: RunningWorker;

beforeAll(async () => {
  await resetFakes();
  site = await startOwnWorker((siteUrl) => ({
    ...exampleVariables({ siteUrl, portBase }),
    ...withChallenge,
  }));
});

beforeEach(() => turnstileControl({ mode: "pass" }));

afterAll(() => site?.[Symbol.asyncDispose]());

const somebody = () => `ada.${crypto.randomUUID().slice(0, 8)}@example.com`;
const open = (options: Parameters<typeof openPage>[0] = {}) =>
  openPage({ siteUrl: site.url, ...options });
const frameTitle = "Widget containing a Cloudflare security challenge";
const widget = ({ page }: OpenPage) =>
  page.locator("[data-shown] iframe").and(page.getByTitle(frameTitle));
const inWidget = ({ page }: OpenPage) => page.frameLocator("[data-shown] iframe");
const sent = ({ page }: OpenPage) =>
  page.getByRole("status").getByText("Check your email for the magic link").waitFor();

/** Requests for Turnstile's script, from now on. */
function scriptRequests({ page }: OpenPage): string[] {
  const scripts: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/turnstile/v0/api.js")) scripts.push(request.url());
  });
  return scripts;
}

test("by keyboard alone: who is asked for a press gives it, and the form is sent", async () => {
  await turnstileControl({ mode: "interactive" });
  await using person = await open({ theme: "light" });
  const { page } = person;
  await person.visit("/signin#auth-magic-link");
  await keyboard.fill(page, "E-mail address", somebody());
  const box = inWidget(person).getByRole("checkbox", { name: "Verify you are human" });
  await box.waitFor();
  await page.keyboard.press("Tab");
  await expect.poll(() => box.evaluate((each) => each === document.activeElement)).toBe(true);
  await page.keyboard.press("Space");
  await inWidget(person).getByText("Verify you are human").waitFor();
  await keyboard.press(page, "button", "Send the sign-in link");
  await sent(person);
});

test("a form that is sent before the check is done is sent when it is, once", async () => {
  await turnstileControl({ mode: "interactive" });
  await using person = await open();
  const { page } = person;
  await person.visit("/signin#auth-magic-link");
  await mouse.fill(page, "E-mail address", somebody());
  const posts: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().startsWith(site.url))
      posts.push(request.url());
  });
  // The widget moves the button down when it appears.
  const box = inWidget(person).getByRole("checkbox");
  await box.waitFor();
  await mouse.press(page, "button", "Send the sign-in link");
  await page.getByText(/^Checking that you are a person\./).waitFor();
  expect(posts).toEqual([]);
  await box.check();
  await sent(person);
  expect(posts).toHaveLength(1);
});

test("each form has its own check, and a token that ran out is followed by another", async () => {
  await using person = await open();
  const { page } = person;
  await person.visit("/signin#auth-magic-link");
  await mouse.fill(page, "E-mail address", somebody());
  await inWidget(person).getByText("Success!").waitFor();
  await turnstileControl({ advance: 301 });
  person.expectProblem("403 POST /signin.data");
  await mouse.press(page, "button", "Send the sign-in link");
  await page
    .getByRole("alert")
    .getByText(/^Nothing was sent: the check that you are/)
    .waitFor();
  await mouse.press(page, "button", "Send the sign-in link");
  await sent(person);
  await mouse.press(page, "button", "Send it again");
  await sent(person);
  await widget(person).waitFor();
});

test("whom the check refuses reads why, keeps the form and may try again", async () => {
  await turnstileControl({ mode: "block" });
  const email = somebody();
  await using person = await open();
  const { page } = person;
  await person.visit("/signin#auth-forgot-password");
  await mouse.fill(page, "E-mail address", email);
  await page
    .getByRole("alert")
    .getByText(/^The check that you are a person did not work here\./)
    .waitFor();
  await turnstileControl({ mode: "pass" });
  await mouse.press(page, "button", "Send the reset link");
  await page.getByRole("status").getByText("Check your email for the password reset").waitFor();
});

test("when the script does not load, the page says so", async () => {
  await using person = await open();
  const { page } = person;
  await page.route("**/turnstile/v0/api.js*", (route) => route.abort());
  person.expectProblem("net::ERR_FAILED");
  await person.visit("/signin#auth-sign-up");
  await mouse.fill(page, "E-mail address", somebody());
  await page
    .getByRole("alert")
    .getByText("To sign in with a password or a provider you need no check.")
    .waitFor();
});

test("without JavaScript the form says what it needs, and keeps the address", async () => {
  const email = somebody();
  await using person = await open({ javaScript: false, systemTheme: "dark" });
  const { page } = person;
  await person.visit("/signin#auth-magic-link");
  await page
    .getByText(/^To send this form this site needs JavaScript/)
    .and(page.locator(":visible"))
    .waitFor();
  person.expectProblem("403 POST /signin");
  await mouse.fill(page, "E-mail address", email);
  await mouse.press(page, "button", "Send the sign-in link");
  await page
    .getByRole("alert")
    .getByText(/^Nothing was sent: the check/)
    .waitFor();
  const field = page.getByLabel("E-mail address", { exact: true }).and(page.locator(":visible"));
  expect(await field.inputValue()).toBe(email);
});

test("the contact form loads the check when it is used, and is sent with it", async () => {
  await using person = await open();
  const { page } = person;
  const scripts = scriptRequests(person);
  await person.visit("/");
  // Without a new document: the first page's policy decides what may load.
  await page.getByRole("link", { name: "Contact" }).first().click();
  await person.arrive("/contact");
  expect(scripts).toEqual([]);
  await mouse.fill(page, "Name", "Ada");
  await expect
    .poll(() => scripts)
    .toEqual([`${fakes().turnstile.url}/turnstile/v0/api.js?render=explicit`]);
  await mouse.fill(page, "E-mail", "ada@example.com");
  await page.getByLabel("Topic").selectOption("support");
  await mouse.fill(page, "Message", "The relay does not start after the update.");
  await mouse.press(page, "button", "Send message");
  await person.arrive("/contact/sent");
});

test("a password signs in without the check, and its script never loads", async () => {
  await using person = await open();
  const { page } = person;
  const scripts = scriptRequests(person);
  await person.visit("/signin");
  person.expectProblem("400 POST /signin.data");
  await mouse.fill(page, "E-mail address", somebody());
  await mouse.fill(page, "Password", "four quiet servers hum");
  await mouse.press(page, "button", "Sign in");
  await page.getByRole("alert").waitFor();
  expect(scripts).toEqual([]);
});

test("axe finds nothing while the check waits, nor when it failed, and both fit a phone", async () => {
  await turnstileControl({ mode: "interactive" });
  await using person = await open({ theme: "light", viewport: desktop, reducedMotion: true });
  const { page } = person;
  await person.visit("/signin#auth-magic-link");
  await mouse.fill(page, "E-mail address", somebody());
  await inWidget(person).getByRole("checkbox").waitFor();
  await mouse.press(page, "button", "Send the sign-in link");
  await page.getByText(/^Checking that you are a person\./).waitFor();
  expect(await faultsOfPage(page)).toEqual([]);
  await turnstileControl({ mode: "block" });
  await person.visit("/signin#auth-sign-up");
  await mouse.fill(page, "E-mail address", somebody());
  await page.getByRole("alert").waitFor();
  expect(await faultsOfPage(page)).toEqual([]);
});
