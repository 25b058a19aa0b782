import type { SupabaseClient } from "@supabase/supabase-js";
import type { PlanKey } from "~/content/plans";
import type { AppContext } from "~/http/app-context";
import type { Database } from "~/platform/database/types";
import { describeError, log } from "~/platform/log/log.server";
import { planOfRow } from "../prices/prices";
import type { SubscriptionRow } from "./price-words";

const maxSubscriptions = 20;

/** A subscription to one of our plans. */
export type UserSubscription = Omit<SubscriptionRow, "plan"> & { plan: PlanKey };

/**
 * The subscriptions of a workspace to our plans, newest first; undefined when the database does not answer. Row-level
 * security hides them from a visitor who may not do its billing. Subscriptions to other products of the same Stripe
 * account are left out, and so are those of customers that Stripe does not know.
 */
export async function subscriptionsOfVisitor(
  supabase: SupabaseClient<Database>,
  { configuration }: Pick<AppContext, "configuration">,
  workspace: { id: string } | null,
): Promise<UserSubscription[] | undefined> {
  if (!workspace) return;
  const { data, error } = await supabase
    .from("customers")
    .select("card_brand, card_last4, card_expires_at, subscriptions(*)")
    .eq("workspace_id", workspace.id)
    .is("missing_since", null)
    .or("plan.is.null,plan.neq.none", { referencedTable: "subscriptions" })
    .order("created_at", { referencedTable: "subscriptions", ascending: false })
    .limit(maxSubscriptions, { referencedTable: "subscriptions" });
  if (!error) {
    return data
      .flatMap(({ subscriptions, ...ownersCard }) =>
        subscriptions.flatMap((row) => {
          const plan = planOfRow(configuration, row);
          // Stripe charges a subscription without a card of its own to the card of its customer.
          const card = row.card_brand === null ? ownersCard : {};
          return plan === "none" ? [] : [{ ...row, ...card, plan }];
        }),
      )
      .sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))
      .slice(0, maxSubscriptions);
  }
  log.error("Subscriptions could not be read", describeError(error));
}
