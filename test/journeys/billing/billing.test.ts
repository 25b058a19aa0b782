import { beforeEach, expect, test } from "vitest";
import { arriveAtPortal, buy } from "../../support/billing/hosted-pages.ts";
import { stripe } from "../../support/billing/stripe-account.ts";
import { desktop, faultsOfPage } from "../../support/browser/axe.ts";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { tabTo } from "../../support/browser/page-actions.ts";
import { scriptVariants, testInProof, variants } from "../../support/run/variants.ts";
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
  "$script: a failed payment is paid with another card, and then nothing is due",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    await renewed(person, "failing");
    await person.visit("/dashboard");
    await page.getByText("Past due", { exact: true }).waitFor();
    await page.getByRole("listitem").getByRole("link", { name: "Billing" }).click();
    await person.arrive("/dashboard/billing");
    await page.getByText(/^The payment of \$109\.99 failed, because your card/).waitFor();
    await page.getByRole("status").getByRole("button", { name: "Change card" }).click();
    await arriveAtPortal(page);
    await page.getByLabel("Card number").fill("5555 5555 5555 4444");
    await page.getByLabel("Expires").fill("03 / 41");
    await page.getByRole("button", { name: "Save card" }).click();
    await person.arrive("/dashboard/billing");
    await page
      .getByText("This is the card that is charged now: Mastercard ending in 4444.")
      .waitFor();
    await page.getByText("Mastercard ending in 4444").last().waitFor();
    await page.getByText("Paid", { exact: true }).nth(1).waitFor();
    expect(await page.getByText("Not paid", { exact: true }).count()).toBe(0);
  },
);

test("axe finds nothing where a payment failed, and it fits a phone", async () => {
  await using person = await openPage({ theme: "light", viewport: desktop, reducedMotion: true });
  await renewed(person, "failing");
  await person.visit("/dashboard/billing");
  await person.page.getByText("Stripe tries again on").waitFor();
  expect(await faultsOfPage(person.page)).toEqual([]);
});

testInProof(
  "at 320 pixels nothing of a failed payment is cut off, and each step is a key away",
  async () => {
    await using person = await openPage({ viewport: { width: 320, height: 640 } });
    const { page } = person;
    await renewed(person, "failing");
    await person.visit("/dashboard/billing");
    await page.getByText("Stripe tries again on").waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(320);
    await tabTo(page, page.getByRole("link", { name: /^Pay now/ }));
    await tabTo(page, page.getByRole("button", { name: "Change card" }).first());
    await tabTo(page, page.getByRole("link", { name: /^PDF of invoice/ }).first());
  },
);
