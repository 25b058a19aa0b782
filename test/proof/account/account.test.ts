import { beforeEach, expect, test } from "vitest";

import { changeMail, freshCode } from "../../support/auth/account.ts";
import { openAccount, press, turnOnSecondFactor } from "../../support/auth/account-page.ts";
import { linkIn, mailTo } from "../../support/auth/inbox.ts";
import { arriveAtCheckout, chooseGoogleAccount } from "../../support/billing/hosted-pages.ts";
import { openPage } from "../../support/browser/browser.ts";
import { scriptVariants, variants } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

const email = "customer.one@example.com";
const password = "four quiet servers hum";

beforeEach(resetFakes);

const ways = variants(scriptVariants);

test.each(ways())(
  "$script: a new address counts when both links were pressed",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    await openAccount(person, email);
    await page.getByLabel("New e-mail address").fill("new@example.com");
    await press(page, "Change the address");
    await page.getByRole("status").getByText("two mails are on their way").waitFor();
    await page.getByText(/^You asked to change this to new@example\.com/).waitFor();

    await using elsewhere = await openPage({ javaScript });
    await elsewhere.visit(linkIn(await mailTo("new@example.com", changeMail)));
    await press(elsewhere.page, "Confirm the change");
    await elsewhere.page.getByRole("heading", { name: "One of two is done" }).waitFor();
    await elsewhere.visit(linkIn(await mailTo(email, changeMail)));
    await press(elsewhere.page, "Confirm the change");
    await elsewhere.arrive("/dashboard/account");
    await elsewhere.page.getByText("new@example.com", { exact: true }).first().waitFor();
    await person.visit("/dashboard/account");
    await page.getByText("new@example.com", { exact: true }).first().waitFor();
    await page.getByText(/^You asked to change/).waitFor({ state: "detached" });
  },
);

test.each(ways())(
  "$script: a password is set, others are signed out, and it opens the door",
  async ({ javaScript }) => {
    await using other = await openPage({ javaScript });
    await other.signIn(email);
    await using person = await openPage({ javaScript });
    const { page } = person;
    await openAccount(person, email);
    person.expectProblem("422 POST /dashboard/account");
    await page.getByLabel("New password").fill("short");
    await press(page, "Save the password");
    await page.getByRole("listitem").getByText("It is too short.").waitFor();
    await page.getByLabel("New password").fill(password);
    await press(page, "Save the password");
    await page.getByRole("status").getByText("Your password is saved.").waitFor();
    expect(await page.getByLabel("New password").inputValue()).toBe("");

    await other.visit("/dashboard/account");
    await other.arrive("/signin");
    const visible = other.page.locator(":visible");
    await other.page.getByLabel("E-mail address", { exact: true }).and(visible).fill(email);
    await other.page.getByLabel("Password", { exact: true }).and(visible).fill(password);
    await press(other.page, "Sign in");
    await other.arrive("/dashboard/account");
    await press(other.page, "Sign out other devices");
    await other.page.getByRole("status").getByText("All other devices are signed out.").waitFor();
    await person.visit("/dashboard/account");
    await person.arrive("/signin");
  },
);

test("the page after sign-up asks for the second factor, and sells after it", async () => {
  await using owner = await openPage();
  await openAccount(owner, email);
  const secret = await turnOnSecondFactor(owner.page);
  await using person = await openPage();
  const { page } = person;
  await person.signIn(email);
  await person.visit("/signup");
  await person.arrive("/dashboard/account/code");
  await page.getByLabel("Code from the app").fill(freshCode(secret));
  await press(page, "Continue");
  await person.arrive("/signup");
  await press(page, "Subscribe Now");
  await arriveAtCheckout(page);
});

test.each(ways())("$script: signing in again leads back to the account", async ({ javaScript }) => {
  await using person = await openPage({ javaScript });
  const { page } = person;
  await openAccount(person, email);
  await press(page, "Sign out everywhere");
  await person.arrive("/");
  await person.visit("/dashboard/account");
  await person.arrive("/signin");
  await press(page, "Continue with Google");
  await chooseGoogleAccount(page);
  await person.arrive("/dashboard/account");
  await page.getByText("You proved who you are on").waitFor();
});
