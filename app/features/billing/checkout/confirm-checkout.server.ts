import Stripe from "stripe";
import type { AppContext } from "~/http/app-context";
import { withinLimit } from "~/http/rate-limit.server";
import { describeError, log } from "~/platform/log/log.server";
import { savePurchaseOrder } from "../stripe/purchase-order.server";
import { stripeClient } from "../stripe/stripe.server";
import { resolveSecondPlans } from "../subscriptions/second-plan.server";
import { syncSubscription } from "../subscriptions/sync-subscription.server";

/** The state of a checkout when somebody comes back from Stripe's page; `busy` means too many requests. */
export type CheckoutConfirmation =
  | "paid"
  | "processing"
  | "open"
  | "unknown"
  | "busy"
  | "unavailable";

/**
 * Reads a Checkout Session from Stripe and syncs its customer, so that the dashboard is right even if no webhook
 * has arrived yet. Anybody can put any id into the URL, so the id only chooses what is read again, and the
 * result says nothing about the buyer. Never throws.
 */
export async function confirmCheckout(
  context: AppContext,
  request: Request,
  sessionId: string,
): Promise<CheckoutConfirmation> {
  if (!/^cs_[A-Za-z0-9_]{1,200}$/.test(sessionId)) return "unknown";
  if (!(await withinLimit(context, "CHECKOUT_LIMIT", request))) return "busy";
  try {
    const { configuration } = context;
    const stripe = stripeClient(configuration);
    const session = await stripe.checkout.sessions.retrieve(sessionId);
    if (session.status === "open" || session.status === "expired") return "open";
    if (session.status !== "complete") throw new Error("Stripe answered no Checkout Session");
    const customer = typeof session.customer === "string" ? session.customer : session.customer?.id;
    if (customer) {
      await syncSubscription(configuration, customer);
      await resolveSecondPlans(configuration, customer);
    }
    await savePurchaseOrder(stripe, session);
    return session.payment_status === "unpaid" ? "processing" : "paid";
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404) {
      return "unknown";
    }
    log.error("A checkout could not be verified", describeError(error));
    return "unavailable";
  }
}
