import { beforeEach, expect, test } from "vitest";
import { codeIn, linkIn, mailTo } from "../../support/auth/inbox.ts";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { keyboard, mouse, tabTo } from "../../support/browser/page-actions.ts";
import { amount, testInProof, variants } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

const password = "four quiet servers hum";
const newPassword = "five loud routers sing";
let email: string;

beforeEach(async () => {
  await resetFakes();
  // Rate limits count accounts, and outlive a test: each has an address of its own.
  email = `ada.${crypto.randomUUID().slice(0, 8)}@example.com`;
});

const byKeyboard = {
  name: "by keyboard alone, light",
  options: { javaScript: true, theme: "light" },
  actions: keyboard,
} as const;
const withoutScript = {
  name: "without JavaScript, dark",
  options: { javaScript: false, systemTheme: "dark" },
  actions: mouse,
} as const;
// In the proof each flow goes both ways, and the longest all four.
const ways = variants([byKeyboard, withoutScript]);
const everyWay = [
  byKeyboard,
  withoutScript,
  { name: "by mouse, dark", options: { javaScript: true, theme: "dark" }, actions: mouse },
  {
    name: "without JavaScript, by keyboard alone, light",
    options: { javaScript: false, systemTheme: "light" },
    actions: keyboard,
  },
] as const;
type Way = (typeof everyWay)[number];
const allWays = amount<readonly Way[]>({
  inTest: [byKeyboard],
  inProof: everyWay,
});

/** Fills the view that has this button, and sends it. */
async function send(
  { page }: OpenPage,
  { actions }: Way,
  button: string,
  typed: Record<string, string> = {},
) {
  // Until it shows, the fields are another view's.
  await page.getByRole("button", { name: button, exact: true }).waitFor();
  for (const [label, value] of Object.entries(typed)) await actions.fill(page, label, value);
  await actions.press(page, "button", button);
}

function statusMessage({ page }: OpenPage, words: string) {
  return page.getByRole("status").getByText(words, { exact: true }).waitFor();
}

function titled({ page }: OpenPage, heading: string) {
  return page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
}

const field = ({ page }: OpenPage, label: string) =>
  page.getByLabel(label, { exact: true }).and(page.locator(":visible"));

/** After a refusal with script, the field that wants another answer is empty and has the focus. */
async function expectEmptyField(person: OpenPage, way: Way, label: string) {
  await expect.poll(() => field(person, label).inputValue()).toBe("");
  if (way.options.javaScript) {
    await field(person, label).and(person.page.locator(":focus")).waitFor();
  }
}

async function openLink(person: OpenPage, way: Way, link: string, button: string) {
  await person.visit(link);
  await send(person, way, button);
}

async function signUp(person: OpenPage, way: Way) {
  await person.visit("/signin");
  await way.actions.press(person.page, "link", "No account yet? Sign up");
  await send(person, way, "Sign up", { "E-mail address": email, Password: password });
  await statusMessage(person, "Check your email for the confirmation link");
}

async function askForLink(person: OpenPage, way: Way): Promise<string> {
  await person.visit("/signin#auth-magic-link");
  await send(person, way, "Send the sign-in link", { "E-mail address": email });
  await statusMessage(person, "Check your email for the magic link");
  return linkIn(await mailTo(email, "Your sign-in link"));
}

/** How light the page is and how red a box: the parts of `oklch(lightness chroma hue)`. */
const colour = ({ page }: OpenPage, selector: string, property: string) =>
  page.locator(selector).evaluate(
    (element, name) =>
      (
        getComputedStyle(element)
          .getPropertyValue(name)
          .match(/[\d.]+/g) ?? []
      ).map(Number),
    property,
  );

test.each(allWays)("$name: signing up, confirming by link, signing in by password", async (way) => {
  await using person = await openPage(way.options);
  await signUp(person, way);
  const [lightness = Number.NaN] = await colour(person, "body", "background-color");
  expect(lightness < 0.5 ? "dark" : "light").toBe(/dark|light/.exec(way.name)?.[0]);

  const link = linkIn(await mailTo(email, "Confirm your e-mail address"));
  await openLink(person, way, link, "Confirm my address");
  await person.arrive("/dashboard");
  await tabTo(person.page, person.page.getByRole("banner").locator("summary"));
  await person.page.keyboard.press("Enter");
  await send(person, way, "Sign out");
  await person.arrive("/");
  await person.visit("/signin?next=/docs");
  await send(person, way, "Sign in", { "E-mail address": email, Password: password });
  await person.arrive("/docs");
});

testInProof.each(ways())(
  "$name: the code of a mail signs in, and a wrong one does not",
  async (way) => {
    await using person = await openPage(way.options);
    await askForLink(person, way);
    const code = codeIn(await mailTo(email, "Your sign-in link"));
    person.expectProblem("400 POST /signin");
    const wrong = code.replace(/.$/, (last) => String((Number(last) + 1) % 10));
    await send(person, way, "Continue", { "Code from the message": wrong });
    await person.page
      .getByRole("alert")
      .getByText(/^This code is wrong, expired/)
      .waitFor();
    await expectEmptyField(person, way, "Code from the message");
    await expect.poll(() => field(person, "E-mail address").inputValue()).toBe(email);
    await send(person, way, "Continue", { "Code from the message": code });
    await person.arrive("/dashboard");
  },
);

testInProof.each(ways())("$name: a forgotten password is replaced by mail", async (way) => {
  await using person = await openPage(way.options);
  await signUp(person, way);
  await way.actions.press(person.page, "link", "Choose a new password instead");
  await send(person, way, "Send the reset link", { "E-mail address": email });
  await statusMessage(person, "Check your email for the password reset link");
  await openLink(person, way, linkIn(await mailTo(email, "Choose a new password")), "Continue");
  await person.page.getByRole("button", { name: "Save the new password" }).waitFor();
  await titled(person, "Choose a new password");
  person.expectProblem("422 POST /signin");
  await send(person, way, "Save the new password", { "New password": "short" });
  const reasons = person.page.getByRole("alert").getByRole("listitem");
  await reasons.getByText("It is too short. Use at least 8 characters.").waitFor();
  await expectEmptyField(person, way, "New password");
  await send(person, way, "Save the new password", { "New password": newPassword });
  await statusMessage(person, "Your password has been updated");
  await titled(person, "Sign in to your account");
  await send(person, way, "Sign in", { "E-mail address": email, Password: newPassword });
  await person.arrive("/dashboard");
});
