import Stripe from "stripe";
import { type ServiceClient, serviceClient } from "~/platform/database/service-client.server";
import type { Configuration } from "~/platform/env/configuration.server";
import { log } from "~/platform/log/log.server";
import { queueOperatorMail } from "../mails/operator-mail.server";
import { stripeClient } from "../stripe/stripe.server";
import { refundPayments } from "./closed-checkout.server";
import { secondPlanComment } from "./subscription-record.server";
import { isOpen } from "./subscription-words";
import { syncSubscription } from "./sync-subscription.server";

/** How old a purchase may be to be refunded by itself. After that the plan was used, and a person decides. */
const refundedForMs = 24 * 60 * 60 * 1_000;

type OpenPlan = { id: string; customer: string; isGuests: boolean; createdAt: number };

/**
 * Looks whether the buyer of a purchase has another plan that runs, in the same workspace or bought with the same
 * address. The one that the account bought is kept, or else the first. Any other is refunded and ended, if it came from
 * a checkout of ours within a day; else only the operator is notified. It may be repeated and run twice at once: Stripe
 * refunds a payment once and ends a plan once. Throws when Stripe or the database does not answer.
 */
export async function settleSecondPlans(
  configuration: Configuration,
  customer: string,
): Promise<void> {
  const database = serviceClient(configuration);
  const [first, ...others] = (await openPlansBeside(database, customer)).toSorted(inOrder);
  if (!first || others.length === 0) return;
  const stripe = stripeClient(configuration);
  // Our records may not know yet that the plan that would be kept has ended.
  if (!isOpen(await stripe.subscriptions.retrieve(first.id))) {
    await syncSubscription(configuration, first.customer);
    return;
  }
  for (const plan of others) {
    const about = { customer: plan.customer, subscription: plan.id };
    const isRefunded = await mayRefund(stripe, configuration, plan);
    if (isRefunded) {
      await refundPayments(stripe, plan.id, "second");
      await end(stripe, plan.id);
      await syncSubscription(configuration, plan.customer);
      log.warn("A second plan was refunded and ended", about);
    } else {
      log.warn("Somebody pays for two plans", about);
    }
    await queueOperatorMail(database, `paid-twice:${plan.id}`, {
      kind: "paid-twice",
      data: { ...about, refunded: isRefunded },
    });
  }
}

/** The plan that is kept comes first. Two runs at once see the same order, also of purchases in one second. */
function inOrder(a: OpenPlan, b: OpenPlan): number {
  return (
    Number(a.isGuests) - Number(b.isGuests) || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)
  );
}

/** The open plans of the workspace that a customer belongs to; of a guest, those bought with the same address. */
async function openPlansBeside(database: ServiceClient, customer: string): Promise<OpenPlan[]> {
  const { data: buyer } = await database
    .from("customers")
    .select("workspace_id, email")
    .eq("id", customer)
    .maybeSingle()
    .throwOnError();
  if (!buyer) return [];
  const columns = "id, workspace_id, origin, subscriptions(id, status, plan, created_at)";
  const sameAddress = buyer.email?.replace(/[\\%_]/g, "\\$&");
  const [ofWorkspace, ofAddress] = await Promise.all([
    buyer.workspace_id
      ? database
          .from("customers")
          .select(columns)
          .eq("workspace_id", buyer.workspace_id)
          .throwOnError()
      : { data: [] },
    sameAddress
      ? database.from("customers").select(columns).ilike("email", sameAddress).throwOnError()
      : { data: [] },
  ]);
  const found = [...ofWorkspace.data, ...ofAddress.data].flatMap((row) =>
    row.subscriptions
      .filter((each) => isOpen(each) && (each.plan === "basic" || each.plan === "pro"))
      .map((each) => ({
        id: each.id,
        customer: row.id,
        workspace: row.workspace_id,
        isGuests: row.origin === "guest",
        createdAt: Date.parse(each.created_at),
      })),
  );
  // A person may own several workspaces, each with a plan of its own.
  const workspaces = new Set(found.flatMap(({ workspace }) => workspace ?? []));
  const chosen = buyer.workspace_id ?? (workspaces.size === 1 ? [...workspaces][0] : undefined);
  const unique = new Map(found.map((each) => [each.id, each]));
  return [...unique.values()].filter(({ workspace }) => workspace === null || workspace === chosen);
}

async function mayRefund(
  stripe: Stripe,
  { SITE_URL }: Configuration,
  { id, createdAt }: OpenPlan,
): Promise<boolean> {
  if (createdAt < Date.now() - refundedForMs) return false;
  const { data } = await stripe.checkout.sessions.list({ subscription: id, limit: 1 });
  return data.some(({ success_url }) => success_url?.startsWith(`${SITE_URL}/`));
}

async function end(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.subscriptions.cancel(id, { cancellation_details: { comment: secondPlanComment } });
  } catch (error) {
    // Another run has ended it.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
  }
}
