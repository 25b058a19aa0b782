import Stripe from "stripe";
import * as z from "zod/mini";
import { type ServiceClient, serviceClient } from "~/platform/database/service-client.server";
import type { Configuration } from "~/platform/env/configuration.server";
import { log } from "~/platform/log/log.server";
import { queueOperatorMail } from "../mails/operator-mail.server";
import { stripeClient } from "../stripe/stripe.server";
import { refundPayments } from "./refund-payments.server";
import { secondPlanComment } from "./subscription-record.server";
import { isOpen } from "./subscription-words";
import { syncSubscription } from "./sync-subscription.server";

/** How old a purchase may be to be refunded by itself. After that the plan was used, and a person decides. */
const refundedForMs = 24 * 60 * 60 * 1_000;

const plansBeside = z.array(
  z.object({
    id: z.string(),
    customer: z.string(),
    /** Null for a guest's, until it is claimed. */
    workspace: z.nullable(z.string()),
    isGuests: z.boolean(),
    status: z.string(),
    createdAt: z.string(),
  }),
);
type OpenPlan = z.output<typeof plansBeside>[number];

/**
 * Looks whether the buyer of a purchase has another plan that runs, in the same workspace or bought with the same
 * address. The one that the account bought is kept, or else the first. Any other is refunded and ended, if it came from
 * a checkout of ours within a day and the one that stays is paid and goes on; else only the operator is notified. It
 * may be repeated and run twice at once: Stripe refunds a payment once and ends a plan once. Throws when Stripe or the
 * database does not answer.
 */
export async function resolveSecondPlans(
  configuration: Configuration,
  customer: string,
): Promise<void> {
  const database = serviceClient(configuration);
  const [first, ...others] = (await openPlansBeside(database, customer)).toSorted(inOrder);
  if (!first || others.length === 0) return;
  const stripe = stripeClient(configuration);
  const current = await stripe.subscriptions.retrieve(first.id, { expand: ["latest_invoice"] });
  // Our records may not know yet that the plan that would be kept has ended.
  if (!isOpen(current)) {
    await syncSubscription(configuration, first.customer);
    return;
  }
  for (const plan of others) {
    const about = { customer: plan.customer, subscription: plan.id };
    const refunded =
      goesOn(current) &&
      (await mayRefund(stripe, configuration, plan)) &&
      (await refundAndEnd(stripe, plan.id));
    if (refunded) {
      await syncSubscription(configuration, plan.customer);
      log.warn("A second plan was refunded and ended", about);
    } else {
      log.warn("Somebody pays for two plans", about);
    }
    // What was not refunded may be by a later event: then the operator learns of that too.
    await queueOperatorMail(database, `paid-twice:${plan.id}:${refunded}`, {
      kind: "paid-twice",
      data: { ...about, refunded },
    });
  }
}

/** The plan that is kept comes first. Two runs at once see the same order, also of purchases in one second. */
function inOrder(a: OpenPlan, b: OpenPlan): number {
  return (
    Number(a.isGuests) - Number(b.isGuests) ||
    Date.parse(a.createdAt) - Date.parse(b.createdAt) ||
    (a.id < b.id ? -1 : 1)
  );
}

/** The open plans of the workspace that a customer belongs to; of a guest, those bought with the same address. */
async function openPlansBeside(database: ServiceClient, customer: string): Promise<OpenPlan[]> {
  const { data } = await database.rpc("plans_beside", { of_customer: customer }).throwOnError();
  const open = plansBeside.parse(data).filter(isOpen);
  // A person may own several workspaces, each with a plan of its own.
  const workspaces = new Set(open.flatMap(({ workspace }) => workspace ?? []));
  const buyers = open.find((each) => each.customer === customer)?.workspace;
  const chosen = buyers ?? (workspaces.size === 1 ? [...workspaces][0] : undefined);
  return open.filter(({ workspace }) => workspace === null || workspace === chosen);
}

/** Whether somebody who loses their other plan has this one: it is paid, gives its rights and is not about to end. */
function goesOn(plan: Stripe.Subscription): boolean {
  const { status, cancel_at, cancel_at_period_end, pause_collection, latest_invoice } = plan;
  const isPaid = typeof latest_invoice === "object" && latest_invoice?.status === "paid";
  const runs = status === "active" || status === "trialing";
  return runs && isPaid && cancel_at === null && !cancel_at_period_end && !pause_collection;
}

async function mayRefund(
  stripe: Stripe,
  { SITE_URL }: Configuration,
  { id, createdAt }: OpenPlan,
): Promise<boolean> {
  if (Date.parse(createdAt) < Date.now() - refundedForMs) return false;
  const { data } = await stripe.checkout.sessions.list({ subscription: id, limit: 1 });
  return data.some(({ success_url }) => success_url?.startsWith(`${SITE_URL}/`));
}

/** False when Stripe refuses to give the money back: then the plan goes on, and a person decides. */
async function refundAndEnd(stripe: Stripe, id: string): Promise<boolean> {
  const { refused } = await refundPayments(stripe, id, "second");
  if (refused > 0) {
    log.error("A second plan could not be refunded", { subscription: id, refused });
    return false;
  }
  await end(stripe, id);
  return true;
}

async function end(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.subscriptions.cancel(id, { cancellation_details: { comment: secondPlanComment } });
  } catch (error) {
    // Another run has ended it.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
  }
}
