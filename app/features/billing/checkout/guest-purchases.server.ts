import type { AppContext } from "~/http/app-context";
import { type ServiceClient, serviceClient } from "~/platform/database/service-client.server";
import type { Configuration } from "~/platform/env/configuration.server";
import { describeError, log } from "~/platform/log/log.server";
import type { AccountHolder } from "../subscriptions/customers.server";
import { resolveSecondPlans } from "../subscriptions/second-plan.server";

/**
 * Assigns purchases that were made as a guest to the account with the same verified e-mail address, and looks whether
 * one is a second plan there. Returns how many were assigned. A failure is logged and counts as none: the dashboard
 * tries again.
 */
export async function claimGuestPurchases(
  { configuration, caller }: AppContext,
  person: AccountHolder,
): Promise<number> {
  const database = serviceClient(configuration, caller);
  try {
    const claimed = await claimGuestPurchasesOrThrow(database, person);
    if (claimed > 0) await resolveClaimed(configuration, database, person);
    return claimed;
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

/** All that was claimed is of one workspace now: so any of it leads to every plan there. */
async function resolveClaimed(
  configuration: Configuration,
  database: ServiceClient,
  person: AccountHolder,
): Promise<void> {
  try {
    const { data } = await database
      .from("customers")
      .select("id")
      .eq("user_id", person.id)
      .eq("origin", "guest")
      .limit(1)
      .throwOnError();
    for (const { id } of data) await resolveSecondPlans(configuration, id);
  } catch (error) {
    log.error("It was not looked for a second plan", describeError(error));
  }
}
