import { beforeEach, test } from "vitest";
import { type OpenPage, openBrowser } from "../fixtures/browser.ts";
import { linkIn, mailTo } from "../fixtures/inbox.ts";
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
  for (const [label, value] of Object.entries(typed)) {
    await person.page.getByLabel(label).and(person.page.locator(":visible")).fill(value);
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
