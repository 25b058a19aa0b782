import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import {
  arriveAtCheckout,
  buy,
  cards,
  chooseGoogleAccount,
} from "../../../support/billing/hosted-pages.ts";
import { planDialog, startAtPlanDialog } from "../../../support/billing/plan-dialog.ts";
import { openPage } from "../../../support/browser/browser.ts";
import {
  resetFakes,
  settledStripeEvents,
  stripeControl,
} from "../../../support/site/control-fakes.ts";

beforeEach(resetFakes);

/** What the dashboard of somebody with one plan says about it. */
async function seePlan(page: Page, plan: string, state: string, price: string) {
  const card = page
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name: plan }) });
  await card.getByText(state, { exact: true }).waitFor();
  await card.getByText(price, { exact: true }).waitFor();
}

test("going back from the hosted page leads to the prices, and nothing was bought", async () => {
  await using person = await openPage();
  const { page } = person;
  const dialog = await startAtPlanDialog(person);
  await dialog.getByRole("button", { name: "Subscribe Now" }).click();
  await arriveAtCheckout(page);
  await page.getByText("$109.99 per month").waitFor();
  await page.getByRole("link", { name: "← Back" }).click();
  await person.arrive("/pricing");
  await page.getByRole("heading", { name: "Choose your plan" }).waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await person.visit("/dashboard");
  await page.getByText("No plan yet").waitFor();
});

test("a user who comes back from the yearly offer sees its price on /pricing, and can go on with it", async () => {
  await using person = await openPage();
  const { page } = person;
  const dialog = await startAtPlanDialog(person);
  await dialog.getByRole("radio", { name: "Yearly" }).check();
  await dialog.getByRole("button", { name: "Subscribe Now" }).click();
  await arriveAtCheckout(page);
  await page.getByRole("link", { name: "← Back" }).click();
  await person.arrive("/pricing");
  const pro = page.getByRole("listitem", { name: "Pro" });
  await pro.getByText("You chose Yearly, $999/year.").waitFor();
  await page.getByText(/^You chose/).waitFor();
  await pro.getByRole("link", { name: "Continue with Yearly" }).click();
  await person.arrive("/signup");
  await page.locator("dialog:modal").waitFor();
  expect(await planDialog(page).getByRole("radio", { name: "Yearly" }).isChecked()).toBe(true);
});

test("without JavaScript the way back from Stripe keeps the offer too", async () => {
  await using person = await openPage({ javaScript: false });
  const { page } = person;
  await person.signIn();
  await person.visit("/signup?plan=yearly");
  expect(await planDialog(page).getByRole("radio", { name: "Yearly" }).isChecked()).toBe(true);
  await planDialog(page).getByRole("button", { name: "Subscribe Now" }).click();
  await arriveAtCheckout(page);
  await page.getByRole("link", { name: "← Back" }).click();
  await person.arrive("/pricing");
  const pro = page.getByRole("listitem", { name: "Pro" });
  await pro.getByText("You chose Yearly, $999/year.").waitFor();
});

test("a declined card leaves no subscription", async () => {
  await using person = await openPage();
  const { page } = person;
  const dialog = await startAtPlanDialog(person);
  await dialog.getByRole("button", { name: "Subscribe Now" }).click();
  await arriveAtCheckout(page);
  await page.getByLabel("Card number").fill(cards.declined);
  await page.getByRole("button", { name: "Pay and subscribe" }).click();
  await page.getByRole("alert").getByText("Your card was declined.").waitFor();

  const events = await settledStripeEvents();
  expect(events.map(({ type }) => type)).not.toContain("customer.subscription.created");
  await person.visit("/dashboard");
  await page.getByText("No plan yet").waitFor();
});

test("a checkout that fails says so in the plan dialog and can be tried again", async () => {
  await using person = await openPage();
  const { page } = person;
  const dialog = await startAtPlanDialog(person);
  await stripeControl("faults", { mode: "error500", match: "/v1/checkout" });
  person.expectProblem("502 POST /api/create-checkout-session");
  await dialog.getByRole("button", { name: "Subscribe Now" }).click();
  await dialog
    .getByRole("alert")
    .getByText("Something went wrong. Please try again.", { exact: true })
    .waitFor();

  await stripeControl("faults", { mode: "none" });
  await dialog.getByRole("button", { name: "Subscribe Now" }).click();
  await arriveAtCheckout(page);
});

test("losing the network is said in the plan dialog too", async () => {
  await using person = await openPage();
  const { page } = person;
  const dialog = await startAtPlanDialog(person);
  person.expectProblem("net::ERR_INTERNET_DISCONNECTED");
  await page.context().setOffline(true);
  await dialog.getByRole("button", { name: "Subscribe Now" }).click();
  await dialog.getByRole("alert").getByText("Something went wrong. Please try again.").waitFor();
  await page.context().setOffline(false);
  await dialog.getByRole("button", { name: "Subscribe Now" }).click();
  await arriveAtCheckout(page);
});

test("a plan dialog that the browser kept as it was can be used again", async () => {
  await using person = await openPage();
  const { page } = person;
  const dialog = await startAtPlanDialog(person);
  await person.hold("/api/create-checkout-session");
  await dialog.getByRole("button", { name: "Subscribe Now" }).click();
  await dialog.getByRole("button", { name: "Processing..." }).waitFor();
  await page.evaluate(() =>
    window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })),
  );
  await dialog.getByRole("button", { name: "Subscribe Now" }).waitFor();
});

test("somebody who has a plan is led to its change instead of a second payment", async () => {
  await using person = await openPage();
  const { page } = person;
  await buy(await person.signIn(), "basic");
  await person.visit("/signup");
  await page.locator("dialog:modal").waitFor();
  person.expectProblem("409 POST /api/create-checkout-session");
  await page.getByRole("radio", { name: "Yearly" }).check();
  await page.getByRole("button", { name: "Subscribe Now" }).click();
  await page.getByRole("alert").getByText("You already have an active subscription").waitFor();
  await planDialog(page).getByRole("link", { name: "Change plan" }).click();
  await person.arrive("/dashboard/plan");
  await page.getByText("Then $999 per year").waitFor();
});

test("Go to Dashboard does not wait for the countdown", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.signIn();
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await person.visit("/success");
  await page.getByText("Redirecting to dashboard in 5 seconds...").waitFor();
  await page.getByRole("link", { name: "Go to Dashboard" }).click();
  await person.arrive("/dashboard");
  await page.getByText("No plan yet").waitFor();
});

test("webhooks alone activate a plan when the buyer never comes back", async () => {
  await using person = await openPage();
  const { page } = person;
  const dialog = await startAtPlanDialog(person);
  await dialog.getByRole("button", { name: "Subscribe Now" }).click();
  await arriveAtCheckout(page);
  // An answer without content keeps the browser where it is, as if the tab had been closed.
  await page.route("**/success?*", (route) => route.fulfill({ status: 204 }));
  const left = page.waitForResponse((response) => response.url().includes("/success?"));
  await page.getByRole("button", { name: "Pay and subscribe" }).click();
  await left;
  await settledStripeEvents();
  await person.visit("/dashboard");
  await seePlan(page, "Basic", "Active", "$109.99 per month");
});

test("a guest's purchase belongs to the user who signs in with the address that paid", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/pricing");
  const pro = page.getByRole("listitem", { name: "Pro" });
  await pro.getByRole("button", { name: "Get started" }).click();
  await arriveAtCheckout(page);
  await page.getByLabel("Email").fill("customer.two@example.com");
  const dashboard = await person.hold("/dashboard.data");
  await page.getByRole("button", { name: "Pay and subscribe" }).click();
  await person.arrive("/success");
  await page.getByRole("link", { name: "Go to Dashboard" }).click();
  dashboard.release();

  await person.arrive("/signin");
  await page.getByText("Use the address that you paid with.").waitFor();
  await page.getByRole("button", { name: "Continue with Google" }).click();
  await chooseGoogleAccount(page, "Customer Two");
  await person.arrive("/dashboard");
  await seePlan(page, "Pro", "Active", "$999.99 per year");
});

test("a guest reads whose the plan will be, and is led from the payment to a mailed link", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/pricing");
  const whose = "the plan belongs to the e-mail address that you give at the checkout";
  await page.getByText(whose).waitFor();
  const pro = page.getByRole("listitem", { name: "Pro" });
  await pro.getByRole("button", { name: "Get started" }).click();
  await arriveAtCheckout(page);
  await page.getByLabel("Email").fill("new.guest@example.com");
  await page.getByRole("button", { name: "Pay and subscribe" }).click();
  await person.arrive("/success");
  expect(await page.getByText("new.guest@example.com").count()).toBe(0);
  await page.getByRole("link", { name: "Have a sign-in link mailed to that address" }).click();
  await person.arrive("/signin");
  await page.getByRole("button", { name: /link/i }).waitFor();
  expect(new URL(page.url()).hash).toBe("#auth-magic-link");
});

test("who is signed in is not sent for a mailed link after paying", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.signIn();
  await person.visit("/signup");
  await page.getByRole("button", { name: "Subscribe Now" }).click();
  await arriveAtCheckout(page);
  await page.clock.install();
  await page.getByRole("button", { name: "Pay and subscribe" }).click();
  await person.arrive("/success");
  await page.getByRole("heading", { name: "Payment Successful!" }).waitFor();
  expect(await page.getByText("Have a sign-in link mailed").isVisible()).toBe(false);
});
