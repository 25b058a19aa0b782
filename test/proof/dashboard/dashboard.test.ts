import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { arriveAtPortal, buy, chooseGoogleAccount } from "../../support/billing/hosted-pages.ts";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { signOut } from "../../support/browser/page-actions.ts";
import {
  fakes,
  resetFakes,
  settledStripeEvents,
  stripeControl,
} from "../../support/site/control-fakes.ts";

beforeEach(resetFakes);

async function openPortal(person: OpenPage) {
  const { page } = person;
  await page
    .getByRole("listitem")
    .getByRole("link", { name: /^(Billing|Invoices)$/ })
    .click();
  await person.arrive("/dashboard/billing");
  await page.getByRole("button", { name: "Manage billing" }).click();
  await arriveAtPortal(page);
}

/** Presses a button of a plain page and waits for the page that answers: leaving earlier takes it back. */
async function pressAndLoad(page: Page, name: string) {
  const answered = page.waitForEvent("load");
  await page.getByRole("button", { name }).click();
  await answered;
}

/** Goes back from the portal as a person does, once Stripe has notified the site of what changed. */
async function returnFromPortal(person: OpenPage) {
  await settledStripeEvents();
  await person.page.getByRole("link", { name: /^← Return to/ }).click();
  await person.arrive("/dashboard/billing");
  await person.page.getByRole("link", { name: "Overview" }).click();
}

test("somebody without a plan is led to the prices", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.signIn();
  await person.visit("/dashboard");
  await page.getByText("No plan yet").waitFor();
  await page.getByRole("link", { name: "Choose a plan" }).click();
  await person.arrive("/pricing");
  await page.getByRole("heading", { name: "Choose your plan" }).waitFor();
});

test("a plan shows its price, its state and when it renews", async () => {
  await using person = await openPage();
  const { page } = person;
  await buy(await person.signIn(), "pro");
  await person.visit("/dashboard");
  const card = page
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name: "Pro" }) });
  await card.getByText("Active", { exact: true }).waitFor();
  await card.getByText("$999.99 per year", { exact: true }).waitFor();
  await card.getByText(`Renews on ${inOneYear()}.`, { exact: true }).waitFor();
});

test("a plan shows what was bought", async () => {
  await using person = await openPage();
  const { page } = person;
  await buy(await person.signIn(), "pro");
  await person.visit("/dashboard");
  await page.getByText("What Pro includes").click();
  const included = page.getByRole("list", { name: "What Pro includes" }).getByRole("listitem");
  expect(await included.allInnerTexts()).toEqual([
    "Multiple server deployments",
    "Advanced monitoring",
    "Priority support",
    "Further domains for a server",
    "Ingress/egress support",
    "Automatic backups",
  ]);
});

function inOneYear(): string {
  const date = new Date();
  date.setUTCFullYear(date.getUTCFullYear() + 1);
  return date.toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });
}

test("a cancelled plan says until when it runs and how to take that back", async () => {
  await using person = await openPage();
  const { page } = person;
  await buy(await person.signIn(), "basic");
  await person.visit("/dashboard");
  await openPortal(person);
  await page.getByRole("button", { name: "Cancel plan" }).click();
  await page.getByText(/^Your plan ends on/).waitFor();
  await returnFromPortal(person);

  await person.arrive("/dashboard");
  await page.getByText("Cancelled", { exact: true }).waitFor();
  await page
    .getByText(
      /^Your plan ends on [A-Z][a-z]+ \d{1,2}, \d{4} and does not renew\. Until then everything works\. You can take the cancellation back under Change plan\.$/,
    )
    .waitFor();

  await openPortal(person);
  await page.getByRole("button", { name: "Don't cancel" }).click();
  await page.getByText(/^Your plan renews on/).waitFor();
  await returnFromPortal(person);
  await person.arrive("/dashboard");
  await page.getByText("Active", { exact: true }).waitFor();
});

test("a renewal that fails says what to do, and a working card sets it right", async () => {
  await using person = await openPage();
  const { page } = person;
  await buy(await person.signIn(), "basic");
  await person.visit("/dashboard");
  await openPortal(person);
  await pressAndLoad(page, "Use a card that fails");
  await page.goto(`${fakes().stripe.url}/_local`);
  await page.getByRole("button", { name: "Move to the end of the period" }).click();
  await page.getByRole("button", { name: "Try the payment again" }).waitFor();
  await settledStripeEvents();

  await person.visit("/dashboard");
  await page.getByText("Past due", { exact: true }).waitFor();
  await page
    .getByText("The last payment did not go through. Billing says why, and how to pay it.")
    .waitFor();

  await openPortal(person);
  await page.getByText("Your last payment failed.").waitFor();
  await page.getByRole("button", { name: "Use a card that works" }).click();
  await page.getByText(/^Your plan renews on/).waitFor();
  await returnFromPortal(person);
  await person.arrive("/dashboard");
  await page.getByText("Active", { exact: true }).waitFor();
});

test("a plan that has ended says so and offers a new one", async () => {
  await using person = await openPage();
  const { page } = person;
  await buy(await person.signIn(), "basic");
  await page.goto(`${fakes().stripe.url}/_local`);
  await pressAndLoad(page, "Cancel at period end");
  await page.getByRole("button", { name: "Move to the end of the period" }).click();
  await page.getByText(/^\$?.*canceled/).waitFor();
  await settledStripeEvents();
  await person.visit("/dashboard");
  await page.getByText("Ended", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Choose a plan" }).click();
  await person.arrive("/pricing");
});

test("“Ask Stripe for the plan again” asks Stripe when no webhook arrives", async () => {
  await using person = await openPage();
  const { page } = person;
  await buy(await person.signIn(), "basic");
  await stripeControl("webhooks", { paused: true });
  await person.visit("/dashboard");
  await openPortal(person);
  await page.getByRole("button", { name: "Cancel plan" }).click();
  await page.getByText(/^Your plan ends on/).waitFor();
  await person.visit("/dashboard");
  await page.getByText("Active", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Ask Stripe for the plan again" }).click();
  await page.getByText("Cancelled", { exact: true }).waitFor();
});

test("with Stripe down the dashboard shows what it knows, and says what does not work", async () => {
  await using person = await openPage();
  const { page } = person;
  await buy(await person.signIn(), "basic");
  await stripeControl("faults", { mode: "error500" });
  await person.visit("/dashboard");
  await page.getByText("Active", { exact: true }).waitFor();
  person.expectProblem("502 POST /dashboard.data");
  await page.getByRole("button", { name: "Ask Stripe for the plan again" }).click();
  await page.getByRole("alert").getByText("Stripe does not answer right now.").waitFor();
  await page.getByText("Active", { exact: true }).waitFor();
  person.expectProblem("503 GET /dashboard/billing.data");
  await page
    .getByRole("listitem")
    .getByRole("link", { name: /^(Billing|Invoices)$/ })
    .click();
  await page.getByRole("alert").getByText("What you see is the last known state.").waitFor();
  person.expectProblem("503 GET /dashboard/billing");
  await page.getByRole("button", { name: "Manage billing" }).click();
  await page.getByText("Stripe's page could not be opened right now.").waitFor();
});

test("signing out shows in the header and locks the dashboard", async () => {
  await using person = await openPage();
  const { page } = person;
  const header = page.getByRole("banner");
  await person.signIn();
  await person.visit("/");
  await header.getByRole("link", { name: "Dashboard" }).click();
  await person.arrive("/dashboard");
  await signOut(page);
  await person.arrive("/");
  await header.getByRole("link", { name: "Early Access" }).waitFor();
  await header.getByRole("link", { name: "Dashboard" }).waitFor({ state: "hidden" });

  await page.goto("/dashboard");
  await person.arrive("/signin");
  await page.getByRole("heading", { name: "Sign in to your account" }).waitFor();
  await page.getByRole("button", { name: "Continue with Google" }).click();
  await chooseGoogleAccount(page);
  await person.arrive("/dashboard");
  await page.getByText("No plan yet").waitFor();
});

test("signing out works without JavaScript", async () => {
  await using person = await openPage({ javaScript: false });
  const { page } = person;
  await person.signIn();
  await person.visit("/dashboard");
  await signOut(page);
  await person.arrive("/");
  await person.visit("/dashboard");
  await person.arrive("/signin");
});
