import type { SupabaseClient } from "@supabase/supabase-js";
import * as z from "zod/mini";
import { planNames } from "~/content/plans";
import { planOfRow } from "~/features/billing/prices/prices";
import { isOpen } from "~/features/billing/subscriptions/subscription-words";
import type { UserSubscription } from "~/features/billing/subscriptions/subscriptions.server";
import type { Workspace } from "~/features/workspaces/my-workspaces.server";
import type { AppContext } from "~/http/app-context";
import type { Database } from "~/platform/database/types";
import { describeError, log } from "~/platform/log/log.server";
import { entitlementOf } from "./plan-limits";
import type { EntitlementWithOffer } from "./plan-link";

type Bought = Pick<UserSubscription, "status" | "plan" | "price_id">;

/** The id of the plan that the database gives to a trial: nobody bought it. */
const trialPlan = "trial";

const bought = z.array(
  z.object({
    id: z.string(),
    status: z.string(),
    plan: z.nullable(z.string()),
    price_id: z.string(),
  }),
);

/**
 * The entitlement of a workspace by our copy of its subscriptions, for each of its members, also those who may not see
 * what it pays. Undefined when it cannot be read.
 */
export async function entitlementOfVisitor(
  supabase: SupabaseClient<Database>,
  context: AppContext,
  workspace: Pick<Workspace, "id"> | null,
): Promise<EntitlementWithOffer | undefined> {
  if (!workspace) return;
  const { data, error } = await supabase.rpc(
    "plans_of",
    { workspace: workspace.id },
    { get: true },
  );
  if (error) {
    log.error("Plans could not be read", describeError(error));
    return;
  }
  const plans = bought.parse(data);
  if (plans.some(({ id }) => id === trialPlan)) {
    return { kind: "entitled", plan: planNames.pro, isTrial: true };
  }
  const rows = plans.flatMap((row) => {
    const plan = planOfRow(context.configuration, row);
    return plan === "none" ? [] : [{ ...row, plan }];
  });
  return entitlementOfRows(rows, context);
}

/** The same for a token of the workspace, which is no member, by a client that sees all rows. */
export async function entitlementOfWorkspace(
  database: SupabaseClient<Database>,
  context: AppContext,
  workspace: Pick<Workspace, "id"> | null,
): Promise<EntitlementWithOffer | undefined> {
  if (!workspace) return;
  const { data, error } = await database
    .from("subscriptions")
    .select("status, plan, price_id, customers!inner (workspace_id, missing_since)")
    .eq("customers.workspace_id", workspace.id)
    .is("customers.missing_since", null);
  if (error) {
    log.error("Plans could not be read", describeError(error));
    return;
  }
  const rows = data.flatMap((row) => {
    const plan = planOfRow(context.configuration, row);
    return plan === "none" ? [] : [{ ...row, plan }];
  });
  return entitlementOfRows(rows, context);
}

/** The entitlement that a workspace's subscriptions give. */
export function entitlementOfRows(
  rows: readonly Bought[],
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
