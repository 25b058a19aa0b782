import { beforeEach, expect, test } from "vitest";
import { buy } from "../../support/billing/hosted-pages.ts";
import { stripe } from "../../support/billing/stripe-account.ts";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { tabTo } from "../../support/browser/page-actions.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

beforeEach(resetFakes);

const phone = { width: 320, height: 640 };

/** Tabs to each, and types there; `Enter` presses it. */
async function keys({ page }: OpenPage, steps: readonly (readonly [string, string, string?])[]) {
  for (const [role, name, text] of steps) {
    const found =
      role === "summary"
        ? page.locator("summary", { hasText: name })
        : role === "field"
          ? page.getByLabel(name, { exact: true })
          : page.getByRole(role as "button" | "link", { name });
    await tabTo(page, found);
    await (text ? page.keyboard.type(text) : page.keyboard.press("Enter"));
  }
}

async function fits({ page }: OpenPage): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth <= 320);
}

test("by keyboard alone, at 320 pixels, a company gives its details and orders a plan by bank transfer", async () => {
  await using person = await openPage({ viewport: phone });
  await person.signIn();
  await person.visit("/dashboard/plan");
  await keys(person, [["link", "Give them under Billing"]]);
  await person.arrive("/dashboard/billing");
  await keys(person, [
    ["summary", "Invoices: address, company"],
    ["field", "E-mail for invoices", "accounts@okapi.example"],
    ["field", "Company name", "Okapi Ltd"],
    ["field", "Purchase order number", "PO-4711"],
    ["field", "Country", "Germany"],
    ["field", "Street and number", "Street 1"],
    ["field", "City", "Berlin"],
  ]);
  expect(await fits(person)).toBe(true);
  await keys(person, [["button", "Save for new invoices"]]);
  await person.page.getByText("Saved. It is on every new invoice.").waitFor();
  await person.visit("/dashboard/plan");
  await person.page.getByText("The invoice is made out to Okapi Ltd").waitFor();
  expect(await fits(person)).toBe(true);
  await keys(person, [["button", "Order Pro for $999.99/year"]]);
  await person.page.getByText("Done. You have Pro. Stripe sends the invoice").waitFor();
  expect(await fits(person)).toBe(true);
});

test("by keyboard alone, at 320 pixels, a plan is paused and runs again", async () => {
  await using person = await openPage({ viewport: phone });
  await buy(await person.signIn(), "basic");
  await person.visit("/dashboard/plan");
  await keys(person, [
    ["summary", "Pause Basic instead of cancelling it"],
    ["field", "For how long?", "2"],
  ]);
  expect(await fits(person)).toBe(true);
  await keys(person, [["button", "Pause Basic from"]]);
  await person.page.getByText(/^Done\. Basic is paused from /).waitFor();
  const [paused] = (await stripe.subscriptions.list()).data;
  const end = paused?.items.data[0]?.current_period_end ?? 0;
  expect(paused?.pause_collection?.resumes_at).toBeGreaterThan(end + 55 * 86_400);
  expect(await fits(person)).toBe(true);
  await keys(person, [["button", "Do not pause Basic"]]);
  await person.page.getByText(/^Done\. You keep Basic\./).waitFor();
});
