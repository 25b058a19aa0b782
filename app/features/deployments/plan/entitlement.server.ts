import type { SupabaseClient } from "@supabase/supabase-js";
import { planNames } from "~/content/plans";
import { isOpen } from "~/features/billing/subscriptions/subscription-words";
import {
  type OwnSubscription,
  subscriptionsOfVisitor,
} from "~/features/billing/subscriptions/subscriptions.server";
import type { AppContext } from "~/http/app-context";
import type { Database } from "~/platform/database/types";
import { entitlementOf } from "./plan-limits";
import type { EntitlementWithOffer } from "./plan-link";

/** The visitor's entitlement by our copy of their subscriptions; undefined when it cannot be read. */
export async function entitlementOfVisitor(
  supabase: SupabaseClient<Database>,
  context: AppContext,
): Promise<EntitlementWithOffer | undefined> {
  const rows = await subscriptionsOfVisitor(supabase, context);
  return rows && entitlementOfRows(rows, context);
}

/** The entitlement that somebody's subscriptions give. */
export function entitlementOfRows(
  rows: readonly OwnSubscription[],
  { configuration }: Pick<AppContext, "configuration">,
): EntitlementWithOffer {
  const entitlement = entitlementOf(
    rows.map(({ status, plan }) => ({ status, plan: planNames[plan] })),
  );
  // The sign-up dialog sells a monthly and a yearly plan. Who bought the monthly one there is offered the yearly one.
  const monthly = configuration.STRIPE_PRICE_MONTHLY;
  const paysMonthly = rows.some((row) => isOpen(row) && row.price_id === monthly);
  return { ...entitlement, offerOfPro: paysMonthly ? "yearly" : "pro" };
}
