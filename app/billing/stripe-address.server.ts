import Stripe from "stripe";
import { describeError, log } from "~/observability/log.server";

/**
 * Gives a customer the address that their account has confirmed, where Stripe has another: receipts and
 * reminders go there. Addresses that differ in capitals only are the same. Answers the address that Stripe
 * has now. One that Stripe does not take is told in the log and stops nothing else.
 */
export async function tellAddress(
  stripe: Stripe,
  { id, email }: Pick<Stripe.Customer, "id" | "email">,
  confirmed: string | null,
): Promise<string | null> {
  if (!confirmed || confirmed.toLowerCase() === email?.toLowerCase()) return email;
  try {
    return (await stripe.customers.update(id, { email: confirmed })).email;
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    log.warn("Stripe did not take an address", { customer: id, ...describeError(error) });
    return email;
  }
}
