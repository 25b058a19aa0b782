import Stripe from "stripe";
import type { Configuration } from "~/configuration/configuration.server";
import type { portalFlow } from "./portal-flows";
import { isMissing, stripeClient } from "./stripe.server";
import { syncSubscription } from "./sync-subscription.server";

type Visit = {
  customer: string;
  flow: ReturnType<typeof portalFlow>;
  /** Where the portal leads back to, and where a flow ends: paths of this site. */
  back: string;
  done: string;
};

/**
 * Opens Stripe's customer portal and answers its address. Where its configuration does not allow the flow,
 * its first page is opened. Undefined for a customer that Stripe does not know: our record then says so.
 * Throws when Stripe does not answer.
 */
export async function openPortal(
  configuration: Configuration,
  visit: Visit,
): Promise<string | undefined> {
  try {
    return await openForCustomer(configuration, visit);
  } catch (error) {
    const { customer } = visit;
    const unknown =
      isMissing(error) && (await syncSubscription(configuration, customer)) === "unknown";
    if (unknown) return undefined;
    throw error;
  }
}

async function openForCustomer(configuration: Configuration, visit: Visit): Promise<string> {
  const { SITE_URL, STRIPE_PORTAL_CONFIGURATION } = configuration;
  const { customer, flow } = visit;
  const { sessions } = stripeClient(configuration).billingPortal;
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
