import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { arriveAtCheckout, chooseGoogleAccount } from "../../../support/billing/hosted-pages.ts";
import { planDialog } from "../../../support/billing/plan-dialog.ts";
import { openPage } from "../../../support/browser/browser.ts";
import { testInProof } from "../../../support/run/variants.ts";
import { resetFakes } from "../../../support/site/control-fakes.ts";

beforeEach(resetFakes);

/** What the dashboard of somebody with one plan says about it. */
async function seePlan(page: Page, plan: string, state: string, price: string) {
  const card = page
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name: plan }) });
  await card.getByText(state, { exact: true }).waitFor();
  await card.getByText(price, { exact: true }).waitFor();
}

test("a visitor signs up with Google, pays for a year and finds the plan on the dashboard", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.clock.install();
  await person.visit("/");
  await page.getByRole("banner").getByRole("link", { name: "Early Access" }).click();

  await page.getByRole("heading", { name: "Get Started with LiveKit Deploy" }).waitFor();
  await page.getByText("Deploy your LiveKit server with confidence").waitFor();
  await page.getByRole("button", { name: "Sign up with Google" }).click();
  const signIn = page.getByRole("dialog", { name: "Sign in to your account" });
  await signIn.getByRole("button", { name: "Continue with Google" }).click();
  await chooseGoogleAccount(page);

  await person.arrive("/signup");
  const dialog = planDialog(page);
  await dialog.waitFor();
  await page.locator("dialog:modal").waitFor();
  expect(await page.getByRole("dialog").count()).toBe(1);
  await dialog.getByText("$109.99/month").waitFor();
  await dialog.getByText("$999/year").waitFor();
  await dialog.getByText("Save over $300").waitFor();
  expect(await dialog.getByRole("radio", { name: "Monthly" }).isChecked()).toBe(true);
  await dialog.getByRole("radio", { name: "Yearly" }).check();
  const checkout = await person.hold("/api/create-checkout-session");
  await dialog.getByRole("button", { name: "Subscribe Now" }).click();
  const processing = dialog.getByRole("button", { name: "Processing..." });
  await processing.waitFor();
  expect(await processing.isDisabled()).toBe(true);
  checkout.release();

  await arriveAtCheckout(page);
  await page.getByText("$999.00 per year").waitFor();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.getByRole("button", { name: "Pay and subscribe" }).click();

  await person.arrive("/success");
  await page.getByRole("heading", { name: "Payment Successful!" }).waitFor();
  await page
    .getByText("Thank you for your purchase. Your subscription has been activated.")
    .waitFor();
  const dashboard = await person.hold("/dashboard.data");
  for (const seconds of [5, 4, 3, 2, 1, 0]) {
    const left = `${seconds} ${seconds === 1 ? "second" : "seconds"}...`;
    await page.getByText(`Redirecting to dashboard in ${left}`).waitFor();
    expect(new URL(page.url()).pathname).toBe("/success");
    await page.clock.runFor(1_000);
  }
  dashboard.release();
  await person.arrive("/dashboard");
  await seePlan(page, "Pro", "Active", "$999 per year");
  await page.getByText(/^Renews on [A-Z][a-z]+ \d{1,2}, \d{4}\.$/).waitFor();
});

testInProof("the same purchase works without JavaScript", async () => {
  await using person = await openPage({ javaScript: false });
  const { page } = person;
  await person.visit("/signup");
  await page.getByRole("button", { name: "Sign up with Google" }).click();
  const signIn = page.getByRole("dialog", { name: "Sign in to your account" });
  await signIn.getByRole("button", { name: "Continue with Google" }).click();
  await chooseGoogleAccount(page);

  await person.arrive("/signup");
  expect(await planDialog(page).getByRole("radio", { name: "Monthly" }).isChecked()).toBe(true);
  await planDialog(page).getByRole("radio", { name: "Yearly" }).check();
  await planDialog(page).getByRole("button", { name: "Subscribe Now" }).click();

  await arriveAtCheckout(page);
  await page.getByText("$999.00 per year").waitFor();
  await page.getByRole("button", { name: "Pay and subscribe" }).click();
  await person.arrive("/success");
  await page.getByRole("heading", { name: "Payment Successful!" }).waitFor();
  await page.getByText("Redirecting to dashboard in 5 seconds...").waitFor();
  await person.arrive("/dashboard");
  await seePlan(page, "Pro", "Active", "$999 per year");
});
