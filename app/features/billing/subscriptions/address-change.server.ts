import type { AppContext } from "~/http/app-context";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import type { AccountHolder } from "./customers.server";
import { syncSubscription } from "./sync-subscription.server";

/**
 * Gives a person's Stripe customers the address that they have confirmed, where it is another by now. Usually
 * one read of our database. A failure is logged and not shown: the reconciliation compares the addresses too.
 */
export async function bringAddressToStripe(
  { configuration }: AppContext,
  { id, email, emailVerified }: AccountHolder,
): Promise<void> {
  if (!email || !emailVerified) return;
  try {
    const { data } = await serviceClient(configuration)
      .from("customers")
      .select("id, email")
      .eq("user_id", id)
      .is("missing_since", null)
      .throwOnError();
    // A customer that was deleted at Stripe has no address here, and takes none.
    const others = data.filter(
      (customer) => customer.email && customer.email.toLowerCase() !== email.toLowerCase(),
    );
    await Promise.all(others.map((customer) => syncSubscription(configuration, customer.id)));
  } catch (error) {
    log.error("An address did not reach Stripe", describeError(error));
  }
}
