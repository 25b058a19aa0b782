import type Stripe from "stripe";
import { idOf, newId, now, onTheWire } from "../state.ts";
import { currentPeriodEnd, currentPeriodStart } from "./subscriptions.ts";

/** A phase as Stripe shows it. */
export function makePhase(
  given: Pick<Stripe.SubscriptionSchedule.Phase, "currency" | "start_date" | "end_date" | "items"> &
    Partial<Stripe.SubscriptionSchedule.Phase>,
): Stripe.SubscriptionSchedule.Phase {
  return onTheWire<Stripe.SubscriptionSchedule.Phase>({
    add_invoice_items: [],
    application_fee_percent: null,
    billing_cycle_anchor: null,
    billing_thresholds: null,
    collection_method: null,
    default_payment_method: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    invoice_settings: null,
    metadata: {},
    on_behalf_of: null,
    proration_behavior: "create_prorations",
    transfer_data: null,
    trial_end: null,
    ...given,
  });
}

/** A price within a phase. */
export function makePhaseItem(
  price: string,
  quantity: number,
): Stripe.SubscriptionSchedule.Phase.Item {
  return {
    billing_thresholds: null,
    discounts: [],
    metadata: {},
    plan: price,
    price,
    quantity,
    tax_rates: [],
  };
}

/** The schedule of a subscription that goes on as it is: one phase, the period that it is in. */
export function makeSchedule(subscription: Stripe.Subscription): Stripe.SubscriptionSchedule {
  const start_date = currentPeriodStart(subscription);
  const end_date = currentPeriodEnd(subscription);
  return onTheWire<Stripe.SubscriptionSchedule>({
    id: newId("sub_sched"),
    object: "subscription_schedule",
    application: null,
    billing_mode: subscription.billing_mode,
    canceled_at: null,
    completed_at: null,
    created: now(),
    current_phase: { end_date, start_date },
    customer: idOf(subscription.customer),
    customer_account: null,
    default_settings: {
      application_fee_percent: null,
      automatic_tax: subscription.automatic_tax.enabled
        ? { disabled_reason: null, enabled: true, liability: { type: "self" } }
        : { disabled_reason: null, enabled: false, liability: null },
      billing_cycle_anchor: "automatic",
      billing_thresholds: null,
      collection_method: "charge_automatically",
      // Stripe notes the subscription's own card in the phase, not here: a later phase must name it again.
      default_payment_method: null,
      description: null,
      invoice_settings: {
        account_tax_ids: null,
        custom_fields: null,
        days_until_due: null,
        description: null,
        footer: null,
        issuer: { type: "self" },
      },
      on_behalf_of: null,
      transfer_data: null,
    },
    end_behavior: subscription.cancel_at_period_end ? "cancel" : "release",
    livemode: false,
    metadata: {},
    pause_schedules: [],
    phases: [
      makePhase({
        currency: subscription.currency,
        start_date,
        end_date,
        items: subscription.items.data.map(({ price, quantity }) =>
          makePhaseItem(price.id, quantity ?? 1),
        ),
        default_payment_method: subscription.default_payment_method,
        discounts: subscription.discounts.map((each) => ({
          coupon: null,
          discount: idOf(each),
          promotion_code: null,
        })),
      }),
    ],
    released_at: null,
    released_subscription: null,
    status: "active",
    subscription: subscription.id,
    test_clock: null,
  });
}

/** Whether a schedule still moves its subscription. */
export function isUnderWay(schedule: Stripe.SubscriptionSchedule): boolean {
  return schedule.status === "active" || schedule.status === "not_started";
}
