import { beforeEach, expect, test } from "vitest";
import { stripe } from "../../support/billing/stripe-account.ts";
import { openPage } from "../../support/browser/browser.ts";
import { scriptVariants, variants } from "../../support/run/variants.ts";
import {
  resetFakes,
  settledStripeEvents,
  stripeControl,
} from "../../support/site/control-fakes.ts";

beforeEach(resetFakes);

const ways = variants(scriptVariants);

test.each(ways())(
  "$script: a company gives its details, orders by bank transfer, and pays with its purchase order on the invoice",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    await person.signIn();
    await person.visit("/dashboard/plan");
    await page.getByRole("link", { name: "Give them under Billing" }).click();
    await page.getByText("Invoices: address, company").click();
    await page.getByLabel("E-mail for invoices").fill("accounts@okapi.example");
    await page.getByLabel("Company name").fill("Okapi Ltd");
    await page.getByLabel("Purchase order number").fill("PO-4711");
    await page.getByLabel("Country").selectOption("DE");
    await page.getByLabel("Street and number").fill("Street 1");
    await page.getByLabel("City").fill("Berlin");
    await page.getByLabel("Kind of tax ID").selectOption("eu_vat");
    await page.getByLabel("VAT ID or tax ID").fill("DE1");
    person.expectProblem("400 POST /dashboard/billing");
    await page.getByRole("button", { name: "Save for new invoices" }).click();
    await page.getByText("Stripe does not take this for European Union: VAT.").waitFor();
    expect(await page.getByLabel("Purchase order number").inputValue()).toBe("PO-4711");
    await page.getByLabel("VAT ID or tax ID").fill("DE123456789");
    await page.getByRole("button", { name: "Save for new invoices" }).click();
    await page.getByText("Saved. It is on every new invoice.").waitFor();

    await person.visit("/dashboard/plan");
    await page.getByText("The invoice is made out to Okapi Ltd").waitFor();
    await page.getByRole("button", { name: "Order Pro for $999.99/year" }).click();
    await page.getByText("Done. You have Pro. Stripe sends the invoice within an hour.").waitFor();
    const [subscription] = (await stripe.subscriptions.list()).data;
    await stripeControl("clock", { advanceTo: (subscription?.created ?? 0) + 2 * 3_600 });
    await settledStripeEvents();

    await person.visit("/dashboard/billing");
    await page.getByText(/^\$999\.99 is due by /).waitFor();
    await page.getByRole("link", { name: /^Open the invoice/ }).click();
    await page.getByText("Purchase order: PO-4711").waitFor();
    await page.getByText("Tax ID DE123456789").waitFor();
    await page.getByRole("button", { name: "The transfer has arrived" }).click();
    await page.getByText("This invoice is paid.").waitFor();
    await settledStripeEvents();
    await person.visit("/dashboard/billing");
    await page.getByText("Paid", { exact: true }).waitFor();
    expect(await page.getByText("is due by").count()).toBe(0);
  },
);
