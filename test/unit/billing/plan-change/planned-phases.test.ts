import type Stripe from "stripe";
import { expect, test } from "vitest";
import { changeLater } from "~/features/billing/plan-change/change-later.server";
import type { StripePlan } from "~/features/billing/plan-change/stripe-plans.server";
import type { AppContext } from "~/http/app-context";

/** The phases that are sent for a subscription with these tax rates. */
async function phasesOf(all: string[], item: string[]) {
  const rates = (ids: string[]) => ids.map((id) => ({ id }) as Stripe.TaxRate);
  const plan = {
    subscription: { id: "sub_1", discounts: [], default_tax_rates: rates(all) },
    item: { price: { id: "price_pro" }, tax_rates: rates(item), current_period_end: 2 },
    schedule: { id: "sub_sched_1", current_phase: { start_date: 1 } },
  } as unknown as StripePlan;
  let sent: Stripe.SubscriptionScheduleUpdateParams | undefined;
  const stripe = {
    subscriptionSchedules: {
      update: async (_: string, params: Stripe.SubscriptionScheduleUpdateParams) => {
        sent = params;
        throw new Error("It is not read again");
      },
    },
  } as unknown as Stripe;
  const target = { offer: "basic", priceId: "price_basic", direction: "down" } as const;
  await changeLater({ context: {} as AppContext, stripe }, plan, target).catch(() => undefined);
  return sent?.phases?.map(({ default_tax_rates, items }) => [
    default_tax_rates,
    items.map(({ tax_rates }) => tax_rates),
  ]);
}

test("a planned change keeps the tax rates of the subscription and of its item", async () => {
  expect(await phasesOf(["txr_1"], ["txr_2"])).toEqual(Array(2).fill([["txr_1"], [["txr_2"]]]));
  expect(await phasesOf([], [])).toEqual(Array(2).fill([undefined, [undefined]]));
});
