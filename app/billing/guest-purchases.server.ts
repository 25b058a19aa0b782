import { serviceClient } from "~/database/service-client.server";
import { describeError, log } from "~/observability/log.server";
import type { RequestContext } from "~/request/request-context";
import type { AccountHolder } from "./customers.server";

/**
 * Gives a person what guests bought with the address that they have verified. Only a verified
 * address counts. A failure is logged and not shown: the dashboard tries again.
 */
export async function claimGuestPurchases(
  { configuration, requestId }: RequestContext,
  person: AccountHolder,
): Promise<number> {
  if (!person.email || !person.emailVerified) return 0;
  const { data, error } = await serviceClient(configuration).rpc("claim_guest_purchases", {
    claimant: person.id,
    verified_email: person.email,
  });
  if (error) log.error("Guest purchases were not claimed", { requestId, ...describeError(error) });
  return data ?? 0;
}
