import Stripe from "stripe";
import type { AppContext } from "~/http/app-context";
import { withinLimit } from "~/http/limits/rate-limit.server";
import { describeError, log } from "~/platform/log/log.server";
import { stripeClient } from "../stripe/stripe.server";
import { syncSubscription } from "../subscriptions/sync-subscription.server";

/** How a checkout stands when somebody comes back from the hosted page. */
export type Arrival = "paid" | "processing" | "open" | "unknown" | "busy" | "unavailable";

/**
 * Looks a Checkout Session up at Stripe and records its customer's subscriptions, so that the
 * dashboard is right even if no webhook has arrived yet. The id comes from a URL: it only chooses
 * what to read again, and the answer tells nothing about the buyer.
 */
export async function confirmCheckout(
  context: AppContext,
  request: Request,
  sessionId: string,
): Promise<Arrival> {
  if (!/^cs_[A-Za-z0-9_]{1,200}$/.test(sessionId)) return "unknown";
  if (!(await withinLimit(context, "CHECKOUT_LIMIT", request))) return "busy";
  try {
    const { configuration } = context;
    const session = await stripeClient(configuration).checkout.sessions.retrieve(sessionId);
    if (session.status === "open" || session.status === "expired") return "open";
    if (session.status !== "complete") throw new Error("Stripe answered no Checkout Session");
    const customer = typeof session.customer === "string" ? session.customer : session.customer?.id;
    if (customer) await syncSubscription(configuration, customer);
    return session.payment_status === "unpaid" ? "processing" : "paid";
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404) {
      return "unknown";
    }
    log.error("A checkout could not be verified", describeError(error));
    return "unavailable";
  }
}
