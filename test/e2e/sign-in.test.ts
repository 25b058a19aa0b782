import AxeBuilder from "@axe-core/playwright";
import { beforeEach, expect, test } from "vitest";
import { type OpenPage, openBrowser } from "../fixtures/browser.ts";
import { codeIn, linkIn, mailTo } from "../fixtures/inbox.ts";
import { resetStandIns } from "../fixtures/stand-ins.ts";

const { openPage } = openBrowser();
const email = "ada@example.com";
const password = "four quiet servers hum";

beforeEach(resetStandIns);

const ways = [
  ["with JavaScript", true],
  ["without JavaScript", false],
] as const;

async function post(person: OpenPage, button: string, typed: Record<string, string>) {
  // Only the view that is asked for has this button: until it shows, the fields are another view's.
  await person.page.getByRole("button", { name: button, exact: true }).waitFor();
  for (const [label, value] of Object.entries(typed)) {
    await person.page
      .getByLabel(label, { exact: true })
      .and(person.page.locator(":visible"))
      .fill(value);
  }
  await person.page.getByRole("button", { name: button, exact: true }).click();
}

async function openLink(person: OpenPage, subject: string, button: string) {
  await person.visit(linkIn(await mailTo(email, subject)));
  await person.page.getByRole("button", { name: button }).click();
}

async function signUp(person: OpenPage) {
  await person.visit("/signin");
  await person.page.getByRole("link", { name: "No account yet? Sign up" }).click();
  await post(person, "Sign up", { "E-mail address": email, Password: password });
  await person.page
    .getByRole("status")
    .getByText("Check your email for the confirmation link", { exact: true })
    .waitFor();
}

test.each(ways)(
  "%s: signing up, confirming by link, signing in by password",
  async (_, javaScript) => {
    await using person = await openPage({ javaScript });
    await signUp(person);
    await openLink(person, "Confirm your e-mail address", "Sign in");
    await person.arrive("/dashboard");
    await person.page.getByRole("button", { name: "Sign out" }).click();
    await person.arrive("/");
    await person.visit("/signin?next=/docs");
    await post(person, "Sign in", { "E-mail address": email, Password: password });
    await person.arrive("/docs");
  },
);

test.each(ways)("%s: a sign-in link works in another browser", async (_, javaScript) => {
  await using asks = await openPage({ javaScript });
  await asks.visit("/signin#auth-magic-link");
  await post(asks, "Send the sign-in link", { "E-mail address": email });
  await asks.page.getByText("Check your email for the magic link", { exact: true }).waitFor();
  await using opens = await openPage({ javaScript });
  await openLink(opens, "Your sign-in link", "Sign in");
  await opens.arrive("/dashboard");
});

test.each(ways)("%s: the code of a mail signs in where it was asked for", async (_, javaScript) => {
  await using person = await openPage({ javaScript });
  await person.visit("/signin#auth-magic-link");
  await post(person, "Send the sign-in link", { "E-mail address": email });
  await person.page.getByText("Check your email for the magic link", { exact: true }).waitFor();
  const code = codeIn(await mailTo(email, "Your sign-in link"));
  await post(person, "Continue", { "Code from the message": code });
  await person.arrive("/dashboard");
});

test.each(ways)("%s: a forgotten password is replaced by mail", async (_, javaScript) => {
  await using person = await openPage({ javaScript });
  const { page } = person;
  await signUp(person);
  await person.visit("/signin#auth-forgot-password");
  await post(person, "Send the reset link", { "E-mail address": email });
  await page.getByText("Check your email for the password reset link", { exact: true }).waitFor();
  await openLink(person, "Choose a new password", "Continue");
  await person.arrive("/signin");
  person.expectProblem("422 POST /signin");
  await post(person, "Save the new password", { "New password": "short" });
  await page
    .getByRole("alert")
    .getByRole("listitem")
    .getByText("It is too short. Use at least 8 characters.")
    .waitFor();
  await post(person, "Save the new password", { "New password": "five loud routers sing" });
  await page.getByText("Your password has been updated", { exact: true }).waitFor();
  await post(person, "Sign in", { "E-mail address": email, Password: "five loud routers sing" });
  await person.arrive("/dashboard");
});

test.each(ways)(
  "%s: a failed post keeps the address and not the password",
  async (_, javaScript) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    await person.visit("/signin");
    person.expectProblem("400 POST /signin");
    await post(person, "Sign in", { "E-mail address": email, Password: password });
    await page
      .getByRole("alert")
      .getByText(/^Address and password do not match/)
      .waitFor();
    const shown = page.locator(":visible");
    const address = page.getByLabel("E-mail address", { exact: true }).and(shown);
    await expect.poll(() => address.inputValue()).toBe(email);
    if (!javaScript) {
      expect(await page.getByLabel("Password", { exact: true }).and(shown).inputValue()).toBe("");
    }
    await page.getByRole("link", { name: "Mail me a sign-in link instead" }).click();
    await post(person, "Send the sign-in link", { "E-mail address": "" });
    await page.getByRole("alert").getByText("Enter your email address.", { exact: true }).waitFor();
  },
);

test("by keyboard alone: another view, its heading announced, and a link asked for", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/signin");
  await page.getByRole("link", { name: "Mail me a sign-in link instead" }).focus();
  await page.keyboard.press("Enter");
  await page
    .getByRole("heading", { name: "Sign in without a password" })
    .and(page.locator(":focus"))
    .waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.type(email);
  await page.keyboard.press("Enter");
  await page.getByText("Check your email for the magic link", { exact: true }).waitFor();
});

test.each(["light", "dark"] as const)("no accessibility fault in six views, %s", async (theme) => {
  await using person = await openPage({ theme });
  await person.visit("/signin");
  const titles = {
    "sign-in": "Sign in to your account",
    "sign-up": "Create your account",
    "forgot-password": "Reset your password",
    "magic-link": "Sign in without a password",
    "update-password": "Choose a new password",
    "verify-otp": "Enter your code",
  };
  for (const [anchor, name] of Object.entries(titles)) {
    await person.page.goto(`/signin#auth-${anchor}`);
    await person.page.getByRole("heading", { name }).waitFor();
    expect(await person.page.getByRole("heading", { level: 1 }).count()).toBe(1);
    const { violations } = await new AxeBuilder({ page: person.page }).analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  }
});
