import { beforeAll, expect, test } from "vitest";
import { codeIn, mailTo } from "../../support/auth/inbox.ts";
import { desktop, faultsOfPage } from "../../support/browser/axe.ts";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { keyboard, mouse } from "../../support/browser/page-actions.ts";
import { variants } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

beforeAll(resetFakes);

const somebody = () => `ada.${crypto.randomUUID().slice(0, 8)}@example.com`;

const ways = variants([
  { name: "by keyboard alone, light", options: { theme: "light" }, actions: keyboard },
  {
    name: "without JavaScript, dark",
    options: { javaScript: false, systemTheme: "dark" },
    actions: mouse,
  },
] as const);
type Way = Pick<ReturnType<typeof ways>[number], "actions">;

const field = ({ page }: OpenPage, label: string) =>
  page.getByLabel(label, { exact: true }).and(page.locator(":visible"));

async function askForCode(person: OpenPage, { actions }: Way, email: string): Promise<string> {
  await person.visit("/signin#auth-magic-link");
  await actions.fill(person.page, "E-mail address", email);
  await actions.press(person.page, "button", "Send the sign-in link");
  await person.page.getByRole("status").getByText("Check your email").waitFor();
  return codeIn(await mailTo(email, "Your sign-in link"));
}

test.each(ways())(
  "$name: a visitor who comes back to the page types the code there",
  async (way) => {
    const email = somebody();
    await using person = await openPage(way.options);
    const code = await askForCode(person, way, email);
    await person.visit("/signin");
    await way.actions.press(person.page, "link", "Enter your code");
    await person.page.getByRole("heading", { level: 1, name: "Enter your code" }).waitFor();
    expect(await field(person, "E-mail address").inputValue()).toBe(email);
    await way.actions.fill(person.page, "Code from the message", code);
    await way.actions.press(person.page, "button", "Continue");
    await person.arrive("/dashboard");
  },
);

test.each(ways())("$name: in another browser the code leads to a new one", async (way) => {
  const email = somebody();
  await using requester = await openPage(way.options);
  const code = await askForCode(requester, way, email);
  await using other = await openPage(way.options);
  await other.visit("/signin#auth-verify-otp");
  other.expectProblem("400 POST /signin");
  await way.actions.fill(other.page, "E-mail address", email);
  await way.actions.fill(other.page, "Code from the message", code);
  await way.actions.press(other.page, "button", "Continue");
  await other.page
    .getByRole("alert")
    .getByText(/^A code works for ten minutes, in the browser where it was asked for\./)
    .waitFor();
  await way.actions.press(other.page, "link", "Mail me a new code");
  await other.page.getByRole("heading", { name: "Sign in without a password" }).waitFor();
  expect(await field(other, "E-mail address").inputValue()).toBe(email);
  await way.actions.press(other.page, "button", "Send the sign-in link");
  await other.page.getByRole("status").getByText("Check your email").waitFor();
});

test("axe finds nothing while a code is waited for, nor when no try is left, and both fit a phone", async () => {
  const email = somebody();
  await using person = await openPage({
    theme: "light",
    viewport: desktop,
    reducedMotion: true,
  });
  const code = await askForCode(person, { actions: mouse }, email);
  expect(await faultsOfPage(person.page)).toEqual([]);
  await person.visit("/signin");
  await person.page.getByRole("link", { name: "Enter your code" }).first().waitFor();
  expect(await faultsOfPage(person.page)).toEqual([]);
  await mouse.press(person.page, "link", "Enter your code");
  person.expectProblem("400 POST /signin.data");
  person.expectProblem("429 POST /signin.data");
  const wrong = code.replace(/.$/, (last) => String((Number(last) + 1) % 10));
  for (let tries = 0; tries < 6; tries++) {
    await mouse.fill(person.page, "Code from the message", wrong);
    await mouse.press(person.page, "button", "Continue");
    await expect.poll(() => field(person, "Code from the message").inputValue()).toBe("");
  }
  await person.page
    .getByRole("alert")
    .getByText(/^Five codes were tried for this account within ten minutes\./)
    .waitFor();
  expect(await faultsOfPage(person.page)).toEqual([]);
});
