import type { AppContext } from "~/http/app-context";
import { type ServiceClient, serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import type { AccountHolder } from "../subscriptions/customers.server";

/**
 * Assigns purchases that were made as a guest to the account with the same verified e-mail address. Returns how
 * many were assigned. A failure is logged and counts as none: the dashboard tries again.
 */
export async function claimGuestPurchases(
  { configuration, caller }: AppContext,
  person: AccountHolder,
): Promise<number> {
  try {
    return await claimGuestPurchasesOrThrow(serviceClient(configuration, caller), person);
  } catch (error) {
    log.error("Guest purchases were not claimed", describeError(error));
    return 0;
  }
}

/** As `claimGuestPurchases`, but throws when the database does not answer. */
export async function claimGuestPurchasesOrThrow(
  database: ServiceClient,
  person: AccountHolder,
): Promise<number> {
  if (!person.email || !person.emailVerified) return 0;
  const { data } = await database
    .rpc("claim_guest_purchases", { claimant: person.id, verified_email: person.email })
    .throwOnError();
  return data ?? 0;
}
