import Stripe from "stripe";
import { describeError, log } from "~/platform/log/log.server";
import { isMissing } from "../stripe/stripe.server";

/** The address that Stripe has now, and the one that it did not take; without the latter nothing was told. */
type Told = { email: string | null; refused_address?: string | null };

/**
 * Gives a customer the address that their account has confirmed, where Stripe has another: receipts and
 * reminders go there. Addresses that differ in capitals only are the same. One that Stripe does not take is
 * told in the log, stops nothing else, and is remembered, so that nobody tries it again.
 */
export async function tellAddress(
  stripe: Stripe,
  { id, email }: Pick<Stripe.Customer, "id" | "email">,
  confirmed: string | null,
): Promise<Told> {
  if (!confirmed || confirmed.toLowerCase() === email?.toLowerCase()) return { email };
  try {
    const told = await stripe.customers.update(id, { email: confirmed });
    return { email: told.email, refused_address: null };
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    log.warn("Stripe did not take an address", { customer: id, ...describeError(error) });
    return isMissing(error) ? { email } : { email, refused_address: confirmed };
  }
}
