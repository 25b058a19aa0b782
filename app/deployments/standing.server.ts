import type { SupabaseClient } from "@supabase/supabase-js";
import { planName } from "~/billing/prices";
import { isRunning } from "~/billing/subscription-words";
import { subscriptionsOfVisitor } from "~/billing/subscriptions.server";
import type { Database } from "~/database/types";
import type { RequestContext } from "~/request/request-context";
import { standingOf } from "./plan-limits";
import type { StandingWithOffer } from "./way-to-plan";

/** The visitor's standing by our copy of their subscriptions; undefined when it cannot be read. */
export async function standingOfVisitor(
  supabase: SupabaseClient<Database>,
  { configuration, requestId }: RequestContext,
): Promise<StandingWithOffer | undefined> {
  const rows = await subscriptionsOfVisitor(supabase, requestId);
  if (!rows) return;
  const standing = standingOf(
    rows.map(({ status, price_id }) => ({ status, plan: planName(configuration, price_id) })),
  );
  // Who bought by the month from the sign-up dialog changes to what is sold beside it there.
  const monthly = configuration.STRIPE_PRICE_MONTHLY;
  const paysMonthly = rows.some((row) => isRunning(row) && row.price_id === monthly);
  return { ...standing, offerOfPro: paysMonthly ? "yearly" : "pro" };
}
