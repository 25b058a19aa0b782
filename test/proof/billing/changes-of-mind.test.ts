import { beforeEach, expect, test } from "vitest";
import { buy } from "../../support/billing/hosted-pages.ts";
import { onlySubscription, paidInvoices } from "../../support/billing/plan-change.ts";
import { onlyMails, subjectsTo } from "../../support/billing/plan-mails.ts";
import { prices } from "../../support/billing/stripe-account.ts";
import { openPage } from "../../support/browser/browser.ts";
import { siteWithFaults } from "../../support/faults/site-with-faults.ts";
import { scriptVariants, variants } from "../../support/run/variants.ts";
import { settledStripeEvents, stripeControl } from "../../support/site/control-fakes.ts";

const site = siteWithFaults();
beforeEach(() => onlyMails());

const ways = variants(scriptVariants);
const email = "customer.one@example.com";

const item = async () => (await onlySubscription()).items.data[0];

/** Time goes on to an hour after the renewal, and what there is to mail is mailed. */
async function renews(): Promise<void> {
  await stripeControl("clock", {
    advanceTo: ((await item())?.current_period_end ?? 0) + 2 * 3_600,
  });
  await settledStripeEvents();
  await site().runScheduled();
}

test.each(ways())(
  "$script: Basic becomes Pro, at the end of the year Basic again, is cancelled, kept and paused, and the mails arrive",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    await buy(await person.signIn(email), "basic");
    await site().runScheduled();
    await person.visit("/dashboard/plan?to=pro");
    await page.getByRole("button", { name: /^Pay / }).click();
    await page.getByText("Done. You have Pro now.").waitFor();
    await settledStripeEvents();
    await site().runScheduled();
    expect((await item())?.price.id).toBe(prices.pro);

    await person.visit("/dashboard/plan?to=basic");
    await page.getByRole("button", { name: /^Change to Basic on / }).click();
    await page.getByText(/^Done\. On .* your plan changes to Basic\.$/).waitFor();
    await renews();
    expect((await item())?.price.id).toBe(prices.basic);

    await person.visit("/dashboard/plan");
    await page.getByText("Cancel Basic", { exact: true }).click();
    await page.getByRole("button", { name: /^Cancel Basic on / }).click();
    await page.getByText(/^Done\. Basic ends on /).waitFor();
    await settledStripeEvents();
    await site().runScheduled();
    await page.getByRole("button", { name: "Keep Basic" }).click();
    await page.getByText(/^Done\. You keep Basic\./).waitFor();

    await page.getByText("Pause Basic instead of cancelling it").click();
    await page.getByLabel("For how long?").selectOption({ index: 1 });
    await page.getByRole("button", { name: /^Pause Basic from / }).click();
    await page.getByText(/^Done\. Basic is paused from /).waitFor();
    await renews();
    await person.visit("/dashboard/billing");
    await page.getByText(/nothing until .*, as it is paused/).waitFor();
    await person.visit("/dashboard/plan");
    const paid = await paidInvoices();
    await page.getByRole("button", { name: "Let Basic run now, for $109.99" }).click();
    await page.getByText(/^Done\. You keep Basic\./).waitFor();
    expect(await paidInvoices()).toEqual([10_999, ...paid]);

    const subjects = await subjectsTo(email);
    for (const subject of [
      "Your Basic plan has begun",
      "Your Pro plan has begun",
      /^Your Basic plan is cancelled$/,
      /^Your Basic plan is paused from /,
    ])
      expect(subjects).toContainEqual(expect.stringMatching(subject));
  },
);
