import { beforeEach, expect, test } from "vitest";
import { changeMail } from "../../support/auth/account.ts";
import { linkIn, mailsTo, mailTo } from "../../support/auth/inbox.ts";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { keyboard, mouse } from "../../support/browser/page-actions.ts";
import { variants } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { pollUntil } from "../../support/site/poll.ts";

const password = "four quiet servers hum";
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

test.each(ways())("$name: a confirmation that is sent again lets in", async (way) => {
  await using person = await openPage(way.options);
  await signUp(person, way);
  await send(person, way, "Send it again");
  const [again] = await pollUntil(
    () => mailsTo(email),
    ({ length }) => length === 2,
  );
  if (again?.subject !== "Confirm your e-mail address") throw new Error(`It was ${again?.subject}`);
  const link = linkIn(again);
  await statusMessage(person, "Check your email for the confirmation link");
  await openLink(person, way, link, "Confirm my address");
  await person.arrive("/dashboard");
});

test.each(ways())("$name: a sign-in link works in another browser, once", async (way) => {
  await using requester = await openPage(way.options);
  const link = await askForLink(requester, way);
  await using opens = await openPage(way.options);
  await openLink(opens, way, link, "Sign in");
  await opens.arrive("/dashboard");

  requester.expectProblem("400 POST /auth/confirm");
  await openLink(requester, way, link, "Sign in");
  await titled(requester, "This link does not work");
  await requester.page
    .getByRole("alert")
    .getByText(/^This link has expired, was already/)
    .waitFor();
  await way.actions.press(requester.page, "link", "Mail me a new link");
  await titled(requester, "Sign in without a password");
  await send(requester, way, "Send the sign-in link", { "E-mail address": email });
  await statusMessage(requester, "Check your email for the magic link");
});

test("an error that the auth server leaves behind a # is said in words, from any page", async () => {
  await using person = await openPage({ javaScript: true, theme: "light" });
  for (const path of ["/", "/pricing", "/docs", "/dashboard", "/signin"]) {
    await person.visit("/faq");
    await person.visit(
      `${path}#error=access_denied&error_code=otp_expired&error_description=Internal+detail`,
    );
    const alert = person.page.getByRole("alert").getByText(/^This link has expired or was already/);
    await alert.waitFor();
    expect(await person.page.getByText("Internal detail").count()).toBe(0);
    await person.page.waitForURL((url) => url.pathname + url.search + url.hash === "/signin");
  }
  await person.visit("/faq");
  await person.visit("/docs#error=access_denied&error_description=Internal+detail");
  await person.page.getByRole("alert").getByText("Sign-in was cancelled.").waitFor();
});

test("after a cancelled sign-in neither a fragment nor the problem stays in the address", async () => {
  await using person = await openPage({ javaScript: true, theme: "light" });
  await person.visit("/signup?problem=cancelled#error=access_denied&error_description=&sb=");
  await person.page.getByRole("alert").getByText("Sign-in was cancelled.").waitFor();
  await person.page.waitForURL((url) => url.href === `${url.origin}/signup`);
  await person.visit("/signin?problem=cancelled&next=%2Fpricing");
  await person.page.getByRole("alert").getByText("Sign-in was cancelled.").waitFor();
  await person.page.waitForURL((url) => url.search + url.hash === "?next=%2Fpricing");
});

test.each(ways())("$name: expired and forged links lead on by what they were for", async (way) => {
  await using person = await openPage(way.options);
  const { page } = person;
  const { actions } = way;
  // As the auth server sends people back who press a link of its own too late.
  await person.visit("/auth/callback?error=access_denied&error_code=otp_expired");
  await page
    .getByRole("alert")
    .getByText(/^This link has expired or was already/)
    .waitFor();
  await actions.press(page, "link", "Mail me a sign-in link instead");
  await titled(person, "Sign in without a password");

  person.expectProblem("400 POST /auth/confirm");
  const forged = `/auth/confirm?token_hash=${"a".repeat(56)}`;
  await openLink(person, way, `${forged}&type=recovery`, "Continue");
  await titled(person, "This link does not work");
  await actions.press(page, "link", "Ask for a new reset link");
  await titled(person, "Reset your password");

  await openLink(person, way, `${forged}&type=email_change`, "Confirm the change");
  await titled(person, "This link does not work");
  await actions.press(page, "link", "Change the address again");
  await person.arrive("/signin");
  await titled(person, "Sign in to your account");
});

test.each(ways())("$name: a failed post keeps the address and not the password", async (way) => {
  await using person = await openPage(way.options);
  const alert = person.page.getByRole("alert");
  await person.visit("/signin");
  person.expectProblem("400 POST /signin");
  await send(person, way, "Sign in", { "E-mail address": email, Password: password });
  await alert.getByText(/^Address and password do not match/).waitFor();
  await expectEmptyField(person, way, "Password");
  await expect.poll(() => field(person, "E-mail address").inputValue()).toBe(email);
  const [, chroma, hue] = await colour(person, "[role=alert]", "border-top-color");
  expect(chroma).toBeGreaterThan(0.1);
  expect(hue).toBeGreaterThan(10);
  expect(hue).toBeLessThan(40);

  await way.actions.press(person.page, "link", "Mail me a sign-in link instead");
  await send(person, way, "Send the sign-in link", { "E-mail address": "" });
  await alert.getByText("Enter your email address.", { exact: true }).waitFor();
});

// With a mouse, with script and without: account.test.ts.
test("by keyboard alone, dark: a new address counts when both links were pressed", async () => {
  await using person = await openPage({ theme: "dark" });
  const newAddress = `new.${email}`;
  await person.signIn("customer.one@example.com");
  await person.visit("/dashboard/account");
  await send(person, byKeyboard, "Change the address", { "New e-mail address": newAddress });
  await person.page.getByRole("status").getByText("two mails are on their way").waitFor();
  await openLink(
    person,
    byKeyboard,
    linkIn(await mailTo(newAddress, changeMail)),
    "Confirm the change",
  );
  await titled(person, "One of two is done");
  const old = await mailTo("customer.one@example.com", changeMail);
  await openLink(person, byKeyboard, linkIn(old), "Confirm the change");
  await person.arrive("/dashboard/account");
  await person.page.getByText(newAddress, { exact: true }).first().waitFor();
});
