import type { AppContext } from "~/http/app-context";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import type { AccountHolder } from "./customers.server";
import { syncSubscription } from "./sync-subscription.server";

/**
 * Syncs those Stripe customers of a person that still have another e-mail address than the confirmed one of the
 * account. Usually this is one read of our database. A failure is logged and not thrown: the reconciliation
 * compares the addresses too.
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
    // Customers that were deleted at Stripe have no address in our table. They cannot get one.
    const others = data.filter(
      (customer) => customer.email && customer.email.toLowerCase() !== email.toLowerCase(),
    );
    await Promise.all(others.map((customer) => syncSubscription(configuration, customer.id)));
  } catch (error) {
    log.error("An address did not reach Stripe", describeError(error));
  }
}
