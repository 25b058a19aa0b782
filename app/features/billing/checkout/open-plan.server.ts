import type Stripe from "stripe";
import type { Configuration } from "~/platform/env/configuration.server";
import { planOfSubscription, readCatalogue } from "../prices/product-plans.server";
import { unlessMissing } from "../stripe/stripe.server";
import { isOpen } from "../subscriptions/subscription-words";

/**
 * Whether this customer has an open subscription to one of our plans at Stripe. Subscriptions to other products
 * of the same Stripe account do not count. False for a customer that Stripe does not know.
 */
export async function hasOpenPlan(
  stripe: Stripe,
  configuration: Configuration,
  customer: string,
): Promise<boolean> {
  const page = await unlessMissing(
    stripe.subscriptions.list({ customer, status: "all", limit: 100 }),
  );
  const open = (page?.data ?? []).filter(isOpen);
  const catalogue = await readCatalogue(stripe, configuration, open);
  return open.some((each) => planOfSubscription(each, catalogue) !== "none");
}
