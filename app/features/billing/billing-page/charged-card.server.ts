import type Stripe from "stripe";
import type { AppContext } from "~/http/app-context";
import { describeError, log } from "~/platform/log/log.server";
import { planOfSubscription, readCatalogue } from "../prices/product-plans.server";
import { isOpen } from "../subscriptions/subscription-words";

/**
 * Has a customer's plans charged to the customer's card, so that changing this one changes what is charged.
 * A checkout gives its card to the subscription, and Stripe's portal changes the customer's: the
 * subscription's own would win. The card that is charged until then stays the one. Where that fails, one log
 * line says so, and nobody is kept from the portal.
 */
export async function chargeCustomersCard(
  { configuration }: Pick<AppContext, "configuration">,
  stripe: Stripe,
  customer: string,
): Promise<void> {
  try {
    const { data } = await stripe.subscriptions.list({ customer, limit: 100 });
    const withCard = data.filter((each) => isOpen(each) && each.default_payment_method);
    const catalogue = await readCatalogue(stripe, configuration, withCard);
    const own = withCard.filter((each) => planOfSubscription(each, catalogue) !== "none");
    const method = own[0]?.default_payment_method;
    if (!method) return;
    await stripe.customers.update(customer, {
      invoice_settings: { default_payment_method: typeof method === "string" ? method : method.id },
    });
    for (const { id } of own) await stripe.subscriptions.update(id, { default_payment_method: "" });
  } catch (error) {
    log.error("A plan may still be charged to its own card", describeError(error));
  }
}
