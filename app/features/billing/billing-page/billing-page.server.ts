import type { SupabaseClient } from "@supabase/supabase-js";
import { planNames } from "~/content/plans";
import type { AppContext } from "~/http/app-context";
import type { Database } from "~/platform/database/types";
import { describeError, log } from "~/platform/log/log.server";
import { type InvoiceDetails, noInvoiceDetails } from "../invoice-details/invoice-details";
import { planOfRow } from "../prices/prices";
import type { PaymentMethod } from "../prices/words";
import { stripeClient } from "../stripe/stripe.server";
import { priceWords } from "../subscriptions/price-words";
import { describeSubscription, isOpen } from "../subscriptions/subscription-words";
import { syncSubscription } from "../subscriptions/sync-subscription.server";
import type { BillingAccount } from "./billing-page";
import { readLiveBilling } from "./live-billing.server";

/** How many customers of one workspace are shown: each takes several requests to Stripe. */
const maxCustomers = 5;

type BillingContext = Pick<AppContext, "configuration">;
/** Whose invoice details can be given before there is an invoice; without a customer it is created for them. */
type Buyer = { customer: string | null; details: InvoiceDetails };
type OlderInvoices = { customer: string | null; after: string | null };

/**
 * What /dashboard/billing shows: the Stripe customers of a workspace, with what Stripe says about each. Row-level
 * security hides them from a visitor who may not do its billing. Undefined when the database does not answer. `isCurrent` is false when Stripe did not
 * answer for one of them.
 */
export async function readBilling(
  supabase: SupabaseClient<Database>,
  context: BillingContext,
  workspace: { id: string } | null,
  older: OlderInvoices,
  isSecondReading = false,
): Promise<{ accounts: BillingAccount[]; isCurrent: boolean; buyer: Buyer } | undefined> {
  const accountsFound = workspace && (await recordedAccounts(supabase, context, workspace));
  if (!accountsFound) return;
  const stripe = stripeClient(context.configuration);
  const answers = await Promise.all(
    accountsFound.map(async (account) => {
      const names = new Map(account.plans.map(({ id, name }) => [id, name]));
      const after = older.customer === account.customer ? older.after : null;
      try {
        const scope = { customer: account.customer, names, after: after ?? undefined };
        return await readLiveBilling(stripe, context.configuration, scope);
      } catch (error) {
        log.error("Billing could not be read", describeError(error));
        return "away" as const;
      }
    }),
  );
  const unrecorded = accountsFound.filter(({ recorded }, index) => {
    const live = answers[index];
    return live && live !== "away" && live.running.some((id) => !recorded.includes(id));
  });
  // A webhook was lost, and nobody has come back from paying: the records are mended now.
  if (unrecorded.length > 0 && !isSecondReading) {
    try {
      for (const { customer } of unrecorded)
        await syncSubscription(context.configuration, customer);
      return await readBilling(supabase, context, workspace, older, true);
    } catch (error) {
      log.warn("A plan that runs at Stripe is recorded later", describeError(error));
    }
  }
  const accounts = accountsFound.map(({ recorded: _, ...account }, index) => {
    const answer = answers[index];
    if (!answer || answer === "away") return { ...account, live: undefined };
    const { running: __, ...live } = answer;
    return { ...account, live };
  });
  // A customer without plans and invoices has nothing to show.
  const visibleAccounts = accounts.filter(
    ({ plans, live }) => plans.length > 0 || live?.invoices.length,
  );
  const unbilled = accounts.find(({ live }) => live);
  const buyer = {
    customer: unbilled?.customer ?? null,
    details: unbilled?.live?.details ?? noInvoiceDetails,
  };
  return { accounts: visibleAccounts, isCurrent: !answers.includes("away"), buyer };
}

async function recordedAccounts(
  supabase: SupabaseClient<Database>,
  { configuration }: BillingContext,
  workspace: { id: string },
): Promise<(BillingAccount & { recorded: string[] })[] | undefined> {
  const { data, error } = await supabase
    .from("customers")
    .select("id, email, card_brand, card_last4, card_expires_at, subscriptions(*)")
    .eq("workspace_id", workspace.id)
    .is("missing_since", null)
    .order("created_at")
    .order("created_at", { referencedTable: "subscriptions", ascending: false })
    .limit(20, { referencedTable: "subscriptions" });
  if (error) {
    log.error("Customers could not be read", describeError(error));
    return;
  }
  const now = Date.now();
  return data
    .toSorted((a, b) => openCount(b.subscriptions) - openCount(a.subscriptions))
    .slice(0, maxCustomers)
    .map(({ id, email, subscriptions, ...card }) => {
      const openPlans = subscriptions.filter(isOpen).flatMap((row) => {
        const plan = planOfRow(configuration, row);
        return plan === "none" ? [] : [{ ...row, name: planNames[plan] }];
      });
      const charged: PaymentMethod = openPlans.find(({ card_brand }) => card_brand) ?? card;
      return {
        customer: id,
        email,
        recorded: subscriptions.map((row) => row.id),
        known: charged,
        live: undefined,
        plans: openPlans.map((row) => ({
          id: row.id,
          name: row.name,
          price: priceWords(row, now).price,
          ...describeSubscription(row),
        })),
      };
    });
}

function openCount(rows: readonly { status: string }[]): number {
  return rows.filter(isOpen).length;
}
