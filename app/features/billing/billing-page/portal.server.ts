import Stripe from "stripe";
import type { AppContext } from "~/http/app-context";
import { isMissing, stripeClient } from "../stripe/stripe.server";
import { syncSubscription } from "../subscriptions/sync-subscription.server";
import { chargeCustomersCard } from "./charged-card.server";
import type { portalFlow } from "./portal-flows";

type BillingContext = Pick<AppContext, "configuration">;

type Visit = {
  customer: string;
  flow: ReturnType<typeof portalFlow>;
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
  if (flow !== "customer_update") await chargeCustomersCard(context, stripe, customer);
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
