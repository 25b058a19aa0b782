import type { SupabaseClient } from "@supabase/supabase-js";
import { planNames } from "~/features/billing/prices/prices";
import { isRunning } from "~/features/billing/subscriptions/subscription-words";
import { subscriptionsOfVisitor } from "~/features/billing/subscriptions/subscriptions.server";
import type { AppContext } from "~/http/app-context";
import type { Database } from "~/platform/database/types";
import { standingOf } from "./plan-limits";
import type { StandingWithOffer } from "./way-to-plan";

/** The visitor's standing by our copy of their subscriptions; undefined when it cannot be read. */
export async function standingOfVisitor(
  supabase: SupabaseClient<Database>,
  context: AppContext,
): Promise<StandingWithOffer | undefined> {
  const rows = await subscriptionsOfVisitor(supabase, context);
  if (!rows) return;
  const standing = standingOf(rows.map(({ status, plan }) => ({ status, plan: planNames[plan] })));
  // Who bought by the month from the sign-up dialog changes to what is sold beside it there.
  const monthly = context.configuration.STRIPE_PRICE_MONTHLY;
  const paysMonthly = rows.some((row) => isRunning(row) && row.price_id === monthly);
  return { ...standing, offerOfPro: paysMonthly ? "yearly" : "pro" };
}
