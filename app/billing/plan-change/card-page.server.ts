import type Stripe from "stripe";
import type { RequestContext } from "~/request/request-context";

/** Stripe's page for the card of a customer; afterwards it leads back to `page`, a path of ours. */
export async function cardPage(
  { configuration }: RequestContext,
  stripe: Stripe,
  customer: string,
  page: string,
): Promise<string> {
  const { SITE_URL, STRIPE_PORTAL_CONFIGURATION } = configuration;
  const back = `${SITE_URL}${page}`;
  const { url } = await stripe.billingPortal.sessions.create({
    customer,
    return_url: back,
    ...(STRIPE_PORTAL_CONFIGURATION && { configuration: STRIPE_PORTAL_CONFIGURATION }),
    flow_data: {
      type: "payment_method_update",
      after_completion: { type: "redirect", redirect: { return_url: back } },
    },
  });
  return url;
}
