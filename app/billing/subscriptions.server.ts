import type { SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "~/database/types";
import { describeError, log } from "~/observability/log.server";
import type { SubscriptionRow } from "./subscription-words";

/**
 * A visitor's subscriptions, newest first, as row-level security lets them see it.
 * Undefined when the database does not answer: that is not the same as none.
 */
export async function subscriptionsOfVisitor(
  supabase: SupabaseClient<Database>,
  requestId: string,
): Promise<SubscriptionRow[] | undefined> {
  const { data, error } = await supabase
    .from("subscriptions")
    .select("*")
    .order("created_at", { ascending: false })
    .limit(20);
  if (!error) return data;
  log.error("Subscriptions could not be read", { requestId, ...describeError(error) });
}
