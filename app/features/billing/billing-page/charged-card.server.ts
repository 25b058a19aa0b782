import type Stripe from "stripe";
import type { AppContext } from "~/http/app-context";
import { describeError, log } from "~/platform/log/log.server";
import { planOfSubscription, readCatalogue } from "../prices/product-plans.server";
import { isOpen } from "../subscriptions/subscription-words";

/**
 * Moves the payment method of a customer's plans from the subscriptions to the customer. A checkout saves the
 * card on the subscription, but Stripe's portal changes the customer's, and Stripe prefers the subscription's:
 * without this a changed card would never be charged. The same card as before is charged until the person
 * changes it. A failure is logged, and the portal is opened all the same.
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
