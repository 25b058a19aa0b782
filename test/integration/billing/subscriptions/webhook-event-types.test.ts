import { beforeEach, expect, test } from "vitest";
import { recordedSubscriptions } from "../../../support/billing/records.ts";
import { buyAtStripe, prices, stripe } from "../../../support/billing/stripe-account.ts";
import {
  deliver,
  madeUpEvent,
  pauseDeliveries,
} from "../../../support/billing/webhook-delivery.ts";
import { sample, testInProof } from "../../../support/run/variants.ts";
import { resetFakes, settledStripeEvents } from "../../../support/site/control-fakes.ts";

beforeEach(resetFakes);

test("a change that is scheduled is known here at once, and so is that it was taken back", async () => {
  const { customer, subscription } = await buyAtStripe({ price: prices.pro });
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription });
  const [phase] = schedule.phases;
  if (!phase) throw new Error("The schedule has no phase");
  await stripe.subscriptionSchedules.update(schedule.id, {
    end_behavior: "release",
    phases: [
      {
        items: [{ price: prices.pro, quantity: 1 }],
        start_date: phase.start_date,
        end_date: phase.end_date,
      },
      { items: [{ price: prices.basic, quantity: 1 }], proration_behavior: "none" },
    ],
  });
  await settledStripeEvents();
  const [row] = await recordedSubscriptions(customer);
  expect(row).toMatchObject({ plan: "pro", next_price_id: prices.basic });
  expect(row?.changes_at).toBe(row?.current_period_end);

  await stripe.subscriptionSchedules.release(schedule.id);
  await settledStripeEvents();
  expect(await recordedSubscriptions(customer)).toMatchObject([
    { plan: "pro", next_price_id: null, changes_at: null },
  ]);
});

test.each(
  sample(
    [
      "subscription_schedule.updated",
      "subscription_schedule.released",
      "customer.subscription.pending_update_applied",
      "customer.subscription.pending_update_expired",
      "payment_method.attached",
      "payment_method.automatically_updated",
      "customer.discount.deleted",
    ],
    2,
  ),
)("%s reads its customer again", async (type) => {
  await pauseDeliveries();
  const { customer } = await buyAtStripe();
  const response = await deliver(madeUpEvent(type, { id: "x_1", customer }));
  expect(await response.json()).toEqual({ outcome: "Handled" });
  expect(await recordedSubscriptions(customer)).toHaveLength(1);
});

testInProof(
  "a payment method that was taken away belongs to nobody: its former customer is read again",
  async () => {
    await pauseDeliveries();
    const { customer } = await buyAtStripe();
    const event = madeUpEvent("payment_method.detached", { id: "pm_1", customer: null });
    const data = { ...event.data, previous_attributes: { customer } };
    expect((await deliver({ ...event, data })).status).toBe(200);
    expect(await recordedSubscriptions(customer)).toHaveLength(1);
  },
);
