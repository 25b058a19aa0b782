import Stripe from "stripe";
import { describeError, log } from "~/platform/log/log.server";
import { isMissing } from "../stripe/stripe.server";

/**
 * The e-mail address that Stripe has now, and the one that it refused (null for none). `refused_address` is left
 * out when nothing was sent to Stripe.
 */
type StripeAddress = { email: string | null; refused_address?: string | null };

/**
 * Sends the confirmed e-mail address of an account to its Stripe customer, if Stripe has another one, because
 * Stripe mails receipts and reminders there. Upper and lower case do not count. An address that Stripe refuses is
 * logged and returned, so that it is stored and not sent again. Throws when Stripe does not answer.
 */
export async function sendAddress(
  stripe: Stripe,
  { id, email }: Pick<Stripe.Customer, "id" | "email">,
  confirmed: string | null,
): Promise<StripeAddress> {
  if (!confirmed || confirmed.toLowerCase() === email?.toLowerCase()) return { email };
  try {
    const updated = await stripe.customers.update(id, { email: confirmed });
    return { email: updated.email, refused_address: null };
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    log.warn("Stripe did not take an address", { customer: id, ...describeError(error) });
    return isMissing(error) ? { email } : { email, refused_address: confirmed };
  }
}
