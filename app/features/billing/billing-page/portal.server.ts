import Stripe from "stripe";
import type { AppContext } from "~/http/app-context";
import { describeError, log } from "~/platform/log/log.server";
import { planOfSubscription, readCatalogue } from "../prices/product-plans.server";
import { isMissing, stripeClient } from "../stripe/stripe.server";
import { isOpen } from "../subscriptions/subscription-words";
import { syncSubscription } from "../subscriptions/sync-subscription.server";

type BillingContext = Pick<AppContext, "configuration">;

type Visit = {
  customer: string;
  /** Undefined for the portal's first page. */
  flow: "payment_method_update" | undefined;
  /** Paths of this site: where the portal's back link leads, and where a finished flow redirects. */
  back: string;
  done: string;
};

/**
 * Creates a session of Stripe's customer portal and returns its URL. If the portal's configuration does not allow
 * the flow, the portal's first page is opened. Undefined for a customer that Stripe does not know, which is then
 * noted in our records. Throws when Stripe does not answer.
 */
export async function openPortal(
  context: BillingContext,
  visit: Visit,
): Promise<string | undefined> {
  const { customer } = visit;
  try {
    return await openForCustomer(context, visit);
  } catch (error) {
    const unknown =
      isMissing(error) && (await syncSubscription(context.configuration, customer)) === "unknown";
    if (unknown) return undefined;
    throw error;
  }
}

async function openForCustomer(context: BillingContext, visit: Visit): Promise<string> {
  const { SITE_URL, STRIPE_PORTAL_CONFIGURATION } = context.configuration;
  const { customer, flow } = visit;
  const stripe = stripeClient(context.configuration);
  const { sessions } = stripe.billingPortal;
  await chargeCustomersCard(context, stripe, customer);
  const terms = {
    customer,
    return_url: `${SITE_URL}${visit.back}`,
    ...(STRIPE_PORTAL_CONFIGURATION && { configuration: STRIPE_PORTAL_CONFIGURATION }),
  };
  if (flow) {
    const redirect = { return_url: `${SITE_URL}${visit.done}` };
    try {
      const { url } = await sessions.create({
        ...terms,
        flow_data: { type: flow, after_completion: { type: "redirect", redirect } },
      });
      return url;
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError) || isMissing(error)) {
        throw error;
      }
    }
  }
  return (await sessions.create(terms)).url;
}

/**
 * Moves the payment method of a customer's plans from the subscriptions to the customer. A checkout saves the
 * card on the subscription, but Stripe's portal changes the customer's, and Stripe prefers the subscription's:
 * without this a changed card would never be charged. The same card as before is charged until the person
 * changes it. A failure is logged, and the portal is opened all the same.
 */
async function chargeCustomersCard(
  { configuration }: Pick<AppContext, "configuration">,
  stripe: Stripe,
  customer: string,
): Promise<void> {
  try {
    const { data } = await stripe.subscriptions.list({ customer, limit: 100 });
    const withCard = data.filter((each) => isOpen(each) && each.default_payment_method);
    const catalogue = await readCatalogue(stripe, configuration, withCard);
    const paying = withCard.filter((each) => planOfSubscription(each, catalogue) !== "none");
    const method = paying[0]?.default_payment_method;
    if (!method) return;
    await stripe.customers.update(customer, {
      invoice_settings: { default_payment_method: typeof method === "string" ? method : method.id },
    });
    for (const { id } of paying)
      await stripe.subscriptions.update(id, { default_payment_method: "" });
  } catch (error) {
    log.error("A plan may still be charged to its own card", describeError(error));
  }
}
