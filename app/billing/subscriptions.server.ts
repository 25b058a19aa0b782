import type { SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "~/database/types";
import { describeError, log } from "~/observability/log.server";
import type { SubscriptionRow } from "./subscription-words";

const most = 20;

/**
 * A visitor's subscriptions, newest first, as row-level security lets them see it. Asked for through
 * their customers: asked for by itself, the table is read whole to find which rows are theirs.
 * Undefined when the database does not answer: that is not the same as none.
 */
export async function subscriptionsOfVisitor(
  supabase: SupabaseClient<Database>,
  requestId: string,
): Promise<SubscriptionRow[] | undefined> {
  const { data, error } = await supabase
    .from("customers")
    .select("subscriptions(*)")
    .order("created_at", { referencedTable: "subscriptions", ascending: false })
    .limit(most, { referencedTable: "subscriptions" });
  if (!error) {
    return data
      .flatMap(({ subscriptions }) => subscriptions)
      .sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))
      .slice(0, most);
  }
  log.error("Subscriptions could not be read", { requestId, ...describeError(error) });
}
