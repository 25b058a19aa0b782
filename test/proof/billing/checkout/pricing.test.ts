import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { arriveAtCheckout, buy } from "../../../support/billing/hosted-pages.ts";
import { openPage } from "../../../support/browser/browser.ts";
import { closingActions } from "../../../support/browser/closing-actions.ts";
import { resetFakes, stripeControl } from "../../../support/site/control-fakes.ts";

beforeEach(resetFakes);

function getStarted(page: Page, plan: "Basic" | "Pro") {
  return page.getByRole("listitem", { name: plan }).getByRole("button", { name: "Get started" });
}

test.each([
  { plan: "Basic", price: "$109.99", interval: "per month" },
  { plan: "Pro", price: "$999.99", interval: "per year" },
] as const)("Get started on $plan leads to a checkout over what the card shows", async (sold) => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/pricing");
  const card = page.getByRole("listitem", { name: sold.plan });
  await card.getByText(sold.price, { exact: true }).waitFor();
  await card.getByText(sold.interval, { exact: true }).waitFor();
  const checkout = await person.hold("/pricing.data");
  await getStarted(page, sold.plan).click();
  const waiting = page.getByRole("dialog").getByRole("status");
  await waiting.getByText("Redirecting to secure checkout...").waitFor();
  await waiting.locator(".animate-spin").waitFor();
  checkout.release();
  await arriveAtCheckout(page);
  await page.getByText(`${sold.price} ${sold.interval}`, { exact: true }).waitFor();
});

test("the three plans say what they cost and what is in them", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/pricing");
  await page.getByRole("heading", { name: "Choose your plan" }).waitFor();
  const basic = page.getByRole("listitem", { name: "Basic" });
  await basic.getByText("Single server deployment").waitFor();
  await page.getByText("The community is LiveKit's own.").waitFor();
  await basic.getByText("Not included: Automatic backups").waitFor();
  await page.getByRole("listitem", { name: "Pro" }).getByText("Custom domain setup").waitFor();
  const enterprise = page.getByRole("listitem", { name: "Enterprise" });
  await enterprise.getByText("Custom pricing").waitFor();
  const contact = enterprise.getByRole("link", { name: "Contact sales" });
  expect(await contact.getAttribute("href")).toBe("/contact?topic=sales");
});

test("a checkout that fails is an error whose Try again only closes it, and closing clears the selected plan", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/pricing");
  await stripeControl("faults", { mode: "error500", match: "/v1/checkout" });
  person.expectProblem("502 POST /pricing.data");
  await getStarted(page, "Pro").click();
  const error = page.getByRole("dialog", { name: "Error" });
  await error.getByRole("alert").getByText("Something went wrong. Please try again.").waitFor();
  await error.getByRole("button", { name: "Close" }).waitFor();

  await stripeControl("faults", { mode: "none" });
  await error.getByRole("button", { name: "Try again" }).click();
  await getStarted(page, "Pro").and(page.locator(":focus")).waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.waitForURL((url) => url.pathname + url.search === "/pricing");
  expect(await page.getByText("You chose this plan.").count()).toBe(0);

  const checkout = await person.hold("/pricing.data");
  await getStarted(page, "Basic").click();
  await page.getByRole("listitem", { name: "Basic" }).getByText("You chose this plan.").waitFor();
  checkout.release();
  await arriveAtCheckout(page);
  await page.getByText("$109.99 per month").waitFor();
});

test("losing the network is an error in the dialog, not the end of the page", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/pricing");
  person.expectProblem("net::ERR_INTERNET_DISCONNECTED");
  await page.route("**/*.data*", (route) => route.abort("internetdisconnected"));
  await getStarted(page, "Pro").click();
  const error = page.getByRole("dialog", { name: "Error" });
  await error.getByRole("alert").getByText("Something went wrong. Please try again.").waitFor();
  await page.unrouteAll();
  await error.getByRole("button", { name: "Try again" }).click();
  await getStarted(page, "Pro").click();
  await arriveAtCheckout(page);
});

test.each(closingActions)(
  "closing by %s while it loads gives the checkout up",
  async (_, close) => {
    await using person = await openPage();
    const { page } = person;
    await person.visit("/pricing");
    const checkout = await person.hold("/pricing.data");
    await getStarted(page, "Basic").click();
    await page.getByRole("dialog").getByText("Redirecting to secure checkout...").waitFor();
    const givenUp = page.waitForEvent("requestfailed", (request) =>
      request.url().includes("/pricing.data"),
    );
    await close(page);
    await givenUp;
    checkout.release();
    await getStarted(page, "Basic").and(page.locator(":focus")).waitFor();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toBe("/pricing");
  },
);

test("the back button on the hosted page leads to the prices, not to a spinner", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/pricing");
  await getStarted(page, "Pro").click();
  await arriveAtCheckout(page);
  await page.goBack();
  await person.arrive("/pricing");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("listitem", { name: "Pro" }).getByText("You chose this plan.").waitFor();
  await getStarted(page, "Basic").click();
  await arriveAtCheckout(page);
  await page.getByText("$109.99 per month").waitFor();
});

test("a page that the browser kept as it was shows the prices again", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/pricing");
  await person.hold("/pricing.data");
  await getStarted(page, "Pro").click();
  await page.getByRole("dialog").waitFor();
  await page.evaluate(() =>
    window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })),
  );
  await page.getByRole("dialog").waitFor({ state: "detached" });
});

test("a customer with a plan sees which, and changes to the other instead of buying it", async () => {
  await using person = await openPage();
  const { page } = person;
  await buy(await person.signIn(), "basic");
  const planRequest = await person.hold("/pricing/own");
  await person.visit("/pricing");
  const card = page.getByRole("listitem", { name: "Pro" });
  await getStarted(page, "Pro").waitFor();
  const before = await card.boundingBox();
  planRequest.release();
  const change = card.getByRole("link", { name: "Change to Pro" });
  await change.waitFor();
  expect(await card.boundingBox()).toEqual(before);
  await page
    .getByRole("listitem", { name: "Basic" })
    .getByRole("link", { name: "Your plan" })
    .waitFor();
  await page
    .getByRole("listitem", { name: "Enterprise" })
    .getByRole("link", { name: "Contact sales" })
    .waitFor();
  await change.click();
  await person.arrive("/dashboard/plan");
  await page.getByRole("button", { name: /^Pay \$[\d.]+ and change to Pro now$/ }).waitFor();
});

test("a press before the page knows of the plan leads to its change too", async () => {
  await using person = await openPage();
  const { page } = person;
  await buy(await person.signIn(), "basic");
  await person.hold("/pricing/own");
  await person.visit("/pricing");
  await getStarted(page, "Pro").click();
  await person.arrive("/dashboard/plan");
  await page.getByRole("heading", { name: "Change to Pro" }).waitFor();
});

test("without JavaScript somebody with a plan is led to its change", async () => {
  await using person = await openPage({ javaScript: false });
  const { page } = person;
  await buy(await person.signIn(), "basic");
  await person.visit("/pricing");
  await getStarted(page, "Pro").click();
  await person.arrive("/dashboard/plan");
  await page.getByRole("heading", { name: "Change to Pro" }).waitFor();
});

test("without JavaScript the button leads to the hosted page", async () => {
  await using person = await openPage({ javaScript: false });
  const { page } = person;
  await person.visit("/pricing");
  await getStarted(page, "Pro").click();
  await arriveAtCheckout(page);
  await page.getByText("$999.99 per year").waitFor();
});

test("without JavaScript a failed checkout comes back with the same words", async () => {
  await using person = await openPage({ javaScript: false });
  const { page } = person;
  await person.visit("/pricing");
  await stripeControl("faults", { mode: "error500", match: "/v1/checkout" });
  person.expectProblem("502 POST /pricing");
  await getStarted(page, "Pro").click();
  const error = page.getByRole("dialog", { name: "Error" });
  await error.getByRole("alert").getByText("Something went wrong. Please try again.").waitFor();
  await error.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "Choose your plan" }).waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("listitem", { name: "Pro" }).getByText("You chose this plan.").waitFor();
  await getStarted(page, "Pro").and(page.locator(":focus")).waitFor();
});

test("an error that was there before the script came can be closed like any other", async () => {
  await using person = await openPage();
  const { page } = person;
  const scripts = await person.hold(/^\/assets\/.*\.js$/);
  await page.goto("/pricing", { waitUntil: "commit" });
  await stripeControl("faults", { mode: "error500", match: "/v1/checkout" });
  person.expectProblem("502 POST /pricing");
  await getStarted(page, "Pro").click();
  scripts.release();
  const error = page.getByRole("dialog", { name: "Error" });
  await error.getByRole("alert").waitFor();
  await page.locator("dialog:modal").waitFor();
  await error.getByRole("button", { name: "Try again" }).click();
  await error.waitFor({ state: "detached" });
  await getStarted(page, "Pro").waitFor();
});
