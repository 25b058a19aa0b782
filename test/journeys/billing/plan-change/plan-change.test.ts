import { beforeEach, expect, test } from "vitest";
import { buy } from "../../../support/billing/hosted-pages.ts";
import { onlySubscription } from "../../../support/billing/plan-change.ts";
import { prices } from "../../../support/billing/stripe-account.ts";
import { openPage } from "../../../support/browser/browser.ts";
import { scriptVariants, testInProof, variants } from "../../../support/run/variants.ts";
import { resetFakes } from "../../../support/site/control-fakes.ts";

beforeEach(resetFakes);

const priceNow = async () => (await onlySubscription()).items.data.map(({ price }) => price.id);

const cents = (amount: string | undefined) =>
  Math.round(Number(amount?.replace(/[$,]/g, "")) * 100);

const ways = variants(scriptVariants);

test.each(ways())(
  "$script: Basic becomes Pro for what the preview says, and the dashboard knows at once",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    await buy(await person.signIn(), "basic");
    await person.visit("/dashboard/plan");
    await page.getByRole("heading", { name: "You have Basic" }).waitFor();
    await page.getByRole("link", { name: /^See what it costs today: Pro, \$999/ }).click();
    const preview = page.getByRole("region", { name: "Change to Pro" });
    const due = preview.getByRole("row", { name: /^Due today/ }).getByRole("cell");
    const amount = (await due.textContent()) ?? "";
    await preview.getByRole("button", { name: `Pay ${amount} and change to Pro now` }).click();
    await page.getByRole("status").getByText("Done. You have Pro now.").waitFor();
    const { latest_invoice: invoice } = await onlySubscription();
    expect(invoice.amount_paid).toBe(cents(amount));
    expect(await priceNow()).toEqual([prices.pro]);
    await person.visit("/dashboard");
    await page.getByRole("heading", { name: "Pro", exact: true }).waitFor();
  },
);

testInProof.each(ways())(
  "$script: a plan is cancelled with its end said first, and kept again in place",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    await buy(await person.signIn(), "basic");
    await person.visit("/dashboard/plan");
    await page.getByText("Cancel Basic", { exact: true }).click();
    await page.getByLabel("Why do you cancel? (optional)").selectOption("It costs too much");
    await page.getByRole("button", { name: /^Cancel Basic on / }).click();
    await page.getByText(/^Done\. Basic ends on .* You are not charged again\.$/).waitFor();
    const { cancel_at_period_end, cancellation_details } = await onlySubscription();
    expect([cancel_at_period_end, cancellation_details?.feedback]).toEqual([true, "too_expensive"]);
    await page.getByRole("button", { name: "Keep Basic" }).click();
    await page.getByText(/^Done\. You keep Basic\. It renews on /).waitFor();
    expect((await onlySubscription()).cancel_at_period_end).toBe(false);
  },
);
