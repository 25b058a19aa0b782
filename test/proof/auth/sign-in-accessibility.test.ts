import { beforeAll, expect, test } from "vitest";
import { linkIn, mailTo } from "../../support/auth/inbox.ts";
import { desktop, faultsOfPage } from "../../support/browser/axe.ts";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { mouse } from "../../support/browser/page-actions.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { Visitor } from "../../support/site/visitor.ts";

const email = "ada@example.com";
const forged = `token_hash=${"a".repeat(56)}`;

beforeAll(resetFakes);

const views = {
  "sign-in": "Sign in to your account",
  "sign-up": "Create your account",
  "forgot-password": "Reset your password",
  "magic-link": "Sign in without a password",
  "update-password": "Choose a new password",
  "verify-otp": "Enter your code",
};

const inspected = { theme: "light", viewport: desktop, reducedMotion: true } as const;

async function inspect({ page }: OpenPage, state: string, heading: string) {
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  expect.soft(await page.getByRole("heading", { level: 1 }).count(), state).toBe(1);
  expect.soft(await faultsOfPage(page), state).toEqual([]);
}

test("axe finds nothing in what the views say after a post, nor on the pages of mailed links", async () => {
  await using person = await openPage(inspected);
  const { page } = person;

  await person.visit("/signin");
  person.expectProblem("400 POST /signin.data");
  await mouse.fill(page, "E-mail address", email);
  await mouse.press(page, "button", "Sign in");
  await page.getByRole("alert").waitFor();
  await inspect(person, "an error", views["sign-in"]);

  await person.visit("/signin#auth-magic-link");
  await mouse.fill(page, "E-mail address", email);
  await mouse.press(page, "button", "Send the sign-in link");
  await page.getByRole("status").waitFor();
  await inspect(person, "a mail sent", views["magic-link"]);

  await person.visit("/signin#auth-forgot-password");
  await mouse.fill(page, "E-mail address", email);
  await mouse.press(page, "button", "Send the reset link");
  await page.getByRole("status").waitFor();
  await person.visit(linkIn(await mailTo(email, "Choose a new password")));
  await inspect(person, "a link to confirm", "Choose a new password");

  await mouse.press(page, "button", "Continue");
  await page.getByRole("button", { name: "Save the new password" }).waitFor();
  await inspect(person, "a new password", views["update-password"]);

  person.expectProblem("422 POST /signin.data");
  await mouse.fill(page, "New password", "short");
  await mouse.press(page, "button", "Save the new password");
  await page.getByRole("alert").getByRole("listitem").waitFor();
  await inspect(person, "a weak password", views["update-password"]);

  await person.visit(`/auth/confirm?${forged}&type=magiclink`);
  await page.context().clearCookies();
  person.expectProblem("400 POST /auth/confirm.data");
  await mouse.press(page, "button", "Sign in");
  await inspect(person, "an expired link", "This link does not work");

  person.expectProblem("400 GET /auth/confirm");
  await person.visit("/auth/confirm");
  await inspect(person, "a link with a part missing", "This link does not work");
});

test("axe finds nothing where a link is for another account than the one that is signed in", async () => {
  await using person = await openPage(inspected);
  const { page } = person;
  const other = `somebody.with.a.long.name.${"x".repeat(30)}@example.com`;
  const linkFor = async (address: string) => {
    await new Visitor().post("/signin", { intent: "magic_link", email: address });
    return linkIn(await mailTo(address, "Your sign-in link"));
  };
  await person.visit(await linkFor("eve@example.com"));
  await mouse.press(page, "button", "Sign in");
  await page.waitForURL("**/dashboard");
  await person.visit(await linkFor(other));
  await page.getByText(`This link is for ${other}.`).waitFor();
  await inspect(person, "a link for another account", "Finish signing in");
  await mouse.press(page, "button", `Sign out eve@example.com and sign in as ${other}`);
  await page.waitForURL("**/dashboard");
});
