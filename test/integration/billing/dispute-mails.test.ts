import { beforeEach, expect, test } from "vitest";
import { mailsTo } from "../../support/auth/inbox.ts";
import { manyRuns, onlyMails } from "../../support/billing/plan-mails.ts";
import { buyAtStripe, stripe } from "../../support/billing/stripe-account.ts";
import { deliver, madeUpEvent } from "../../support/billing/webhook-delivery.ts";
import { database } from "../../support/database/database.ts";
import { siteWithFaults } from "../../support/faults/site-with-faults.ts";
import { settledStripeEvents, stripeControl } from "../../support/site/control-fakes.ts";
import { variable } from "../../support/site/variables.ts";

const site = siteWithFaults();
beforeEach(() => onlyMails());

test("a dispute is mailed to the operator once, by ids alone, with the way to Stripe", async () => {
  const about = { dispute: "dp_1", payment: "pi_1", live: true };
  await database.rpc("queue_dispute_mail", { dispute: "dp_1", about }).throwOnError();
  await database.rpc("queue_dispute_mail", { dispute: "dp_1", about }).throwOnError();
  await manyRuns(site());
  const [mail, ...more] = await mailsTo(variable("SUPPORT_EMAIL"));
  expect(more).toEqual([]);
  expect(mail?.subject).toBe("A payment is disputed: dp_1");
  expect(mail?.text).toContain("Open it at Stripe: https://dashboard.stripe.com/payments/pi_1");
});

test("a dispute that Stripe's event reports reaches the operator's inbox", async () => {
  await buyAtStripe({ email: "buyer@example.com" });
  const [subscription] = (await stripe.subscriptions.list()).data;
  await stripeControl(`subscriptions/${subscription?.id}/dispute`);
  await settledStripeEvents();
  const [dispute] = (await stripe.disputes.list()).data;
  await site().runScheduled();
  const [mail] = await mailsTo(variable("SUPPORT_EMAIL"));
  expect(mail?.subject).toBe(`A payment is disputed: ${dispute?.id}`);
  expect(mail?.text).toMatch(/https:\/\/dashboard\.stripe\.com\/test\/payments\/(pi|ch|py)_\w+/);
  expect(mail?.text).not.toContain("buyer@example.com");

  await stripeControl(`disputes/${dispute?.id}/lost`);
  await settledStripeEvents();
  await site().runScheduled();
  const subjects = (await mailsTo(variable("SUPPORT_EMAIL"))).map(({ subject }) => subject);
  expect(subjects).toEqual([
    `A dispute is lost: ${dispute?.id}`,
    `A payment is disputed: ${dispute?.id}`,
  ]);
});

test("a bank's warning of fraud reaches the operator's inbox once", async () => {
  const warning = { id: "issfr_1", charge: "ch_1", payment_intent: "pi_1", livemode: false };
  for (const id of ["evt_1", "evt_2"]) {
    const event = madeUpEvent("radar.early_fraud_warning.created", warning, id);
    expect((await deliver(event)).status).toBe(200);
  }
  await manyRuns(site());
  const [mail, ...more] = await mailsTo(variable("SUPPORT_EMAIL"));
  expect(more).toEqual([]);
  expect(mail?.subject).toBe("A bank warns that a payment may be fraud");
  expect(mail?.text).toContain("https://dashboard.stripe.com/test/payments/pi_1");
});
