import type { SupabaseClient } from "@supabase/supabase-js";
import type { Offer } from "~/content/plans";
import type { AppContext } from "~/http/app-context";
import type { Database } from "~/platform/database/types";
import { describeError, log } from "~/platform/log/log.server";
import { planOfRow } from "../prices/prices";
import type { SubscriptionRow } from "./price-words";

const most = 20;

/** A subscription to one of our plans. */
export type OwnSubscription = Omit<SubscriptionRow, "plan"> & { plan: Offer["plan"] };

/**
 * A visitor's subscriptions to our plans, newest first, as row-level security lets them see it. What they
 * pay to this Stripe account for something else is left out, and so is what Stripe does not know. Asked for
 * through their customers: asked for by itself, the table is read whole to find which rows are theirs.
 * Undefined when the database does not answer: that is not the same as none.
 */
export async function subscriptionsOfVisitor(
  supabase: SupabaseClient<Database>,
  { configuration }: Pick<AppContext, "configuration">,
): Promise<OwnSubscription[] | undefined> {
  const { data, error } = await supabase
    .from("customers")
    .select("card_brand, card_last4, card_expires_at, subscriptions(*)")
    .is("missing_since", null)
    .or("plan.is.null,plan.neq.none", { referencedTable: "subscriptions" })
    .order("created_at", { referencedTable: "subscriptions", ascending: false })
    .limit(most, { referencedTable: "subscriptions" });
  if (!error) {
    return data
      .flatMap(({ subscriptions, ...ownersCard }) =>
        subscriptions.flatMap((row) => {
          const plan = planOfRow(configuration, row);
          // A subscription without a card of its own is charged to its customer's.
          const card = row.card_brand === null ? ownersCard : {};
          return plan === "none" ? [] : [{ ...row, ...card, plan }];
        }),
      )
      .sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))
      .slice(0, most);
  }
  log.error("Subscriptions could not be read", describeError(error));
}
