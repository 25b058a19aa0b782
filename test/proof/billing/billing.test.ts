import { beforeEach, expect, test } from "vitest";
import { buy } from "../../support/billing/hosted-pages.ts";
import { stripe } from "../../support/billing/stripe-account.ts";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { scriptVariants, variants } from "../../support/run/variants.ts";
import {
  resetFakes,
  settledStripeEvents,
  stripeControl,
} from "../../support/site/control-fakes.ts";

beforeEach(resetFakes);

/** Somebody whose plan was renewed once, with a card that answers as given. */
async function renewed(person: OpenPage, card: "good" | "failing" | "authenticating") {
  await buy(await person.signIn(), "basic");
  const [subscription] = (await stripe.subscriptions.list()).data;
  const { id = "", customer } = subscription ?? {};
  await stripeControl(`customers/${String(customer)}/card`, { behaviour: card });
  await stripeControl(`subscriptions/${id}/renew`);
  await settledStripeEvents();
}

const ways = variants(scriptVariants);

test.each(ways())(
  "$script: a payment that the bank wants confirmed is confirmed at Stripe's page of the invoice",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    await renewed(person, "authenticating");
    await person.visit("/dashboard/billing");
    await page.getByText(/^Your bank wants you to confirm the payment of \$109\.99\./).waitFor();
    await page.getByRole("link", { name: /^Confirm and pay/ }).click();
    await page.getByRole("heading", { name: /^Invoice / }).waitFor();
    await page.getByRole("button", { name: /Pay/ }).click();
    await page.getByRole("button", { name: "Complete" }).click();
    await page.getByText("paid", { exact: true }).waitFor();
    await settledStripeEvents();
    await person.visit("/dashboard/billing");
    await page.getByText(/^Basic: \$109\.99 on /).waitFor();
    await person.visit("/dashboard");
    await page.getByText("Active", { exact: true }).waitFor();
  },
);

test.each(ways())(
  "$script: older invoices are a page away, and so are the newest again",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    await renewed(person, "good");
    const [subscription] = (await stripe.subscriptions.list()).data;
    for (let month = 0; month < 11; month += 1)
      await stripeControl(`subscriptions/${subscription?.id}/renew`);
    await settledStripeEvents();
    await person.visit("/dashboard/billing");
    const views = page.getByRole("link", { name: /^View invoice/ });
    await page.getByRole("heading", { name: "Invoices" }).waitFor();
    expect(await views.count()).toBe(12);
    await page.getByRole("link", { name: "Show older" }).click();
    await page.getByRole("heading", { name: "Older invoices" }).waitFor();
    expect(await views.count()).toBe(1);
    await page.getByRole("link", { name: "Show newest" }).click();
    await page.getByRole("heading", { name: "Invoices", exact: true }).waitFor();
    expect(await views.count()).toBe(12);
  },
);
