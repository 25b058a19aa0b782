import type Stripe from "stripe";
import type { Configuration } from "~/platform/env/configuration.server";
import { planOfSubscription, readCatalogue } from "../prices/product-plans.server";
import { unlessMissing } from "../stripe/stripe.server";
import { isOpen } from "../subscriptions/subscription-words";

/**
 * Whether Stripe, which is the truth, has a subscription of this customer to a plan of ours that is not
 * over. What is paid for another product of the same Stripe account does not count, and a customer that
 * Stripe does not know has none.
 */
export async function hasRunningPlan(
  stripe: Stripe,
  configuration: Configuration,
  customer: string,
): Promise<boolean> {
  const page = await unlessMissing(
    stripe.subscriptions.list({ customer, status: "all", limit: 100 }),
  );
  const running = (page?.data ?? []).filter(isOpen);
  const catalogue = await readCatalogue(stripe, configuration, running);
  return running.some((each) => planOfSubscription(each, catalogue) !== "none");
}
