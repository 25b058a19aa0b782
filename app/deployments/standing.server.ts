import type { SupabaseClient } from "@supabase/supabase-js";
import { planName } from "~/billing/prices";
import { subscriptionsOfVisitor } from "~/billing/subscriptions.server";
import type { Database } from "~/database/types";
import type { RequestContext } from "~/request/request-context";
import { type Standing, standingOf } from "./plan-limits";

/** The visitor's standing by our copy of their subscriptions; undefined when it cannot be read. */
export async function standingOfVisitor(
  supabase: SupabaseClient<Database>,
  { configuration, requestId }: RequestContext,
): Promise<Standing | undefined> {
  const rows = await subscriptionsOfVisitor(supabase, requestId);
  return (
    rows &&
    standingOf(
      rows.map(({ status, price_id }) => ({ status, plan: planName(configuration, price_id) })),
    )
  );
}
