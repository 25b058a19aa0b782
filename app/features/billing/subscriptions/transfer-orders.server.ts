import Stripe from "stripe";
import { log } from "~/platform/log/log.server";
import { unpaidOrderComment } from "./subscription-record.server";

/** In how many days the invoice of an ordered plan is due, and after how many further days unpaid the plan ends. */
export const orderDays = { untilDue: 14, untilEnd: 7 } as const;
/** The metadata key of a subscription that was ordered on the plan page, to be paid by bank transfer. */
export const orderMark = "livekit_deploy_order";

/** An invoice that is sent is a draft for an hour; the days until it is due count from then. */
const draftSeconds = 60 * 60;
const daySeconds = 24 * 60 * 60;

/**
 * When an ordered plan ends if the invoice of its present period stays unpaid, in seconds since 1970. Undefined for any
 * other plan: what the operator has agreed upon at Stripe is theirs to end.
 */
export function orderLimit({
  metadata,
  items,
}: Pick<Stripe.Subscription, "metadata" | "items">): number | undefined {
  const start = items.data[0]?.current_period_start;
  if (!metadata[orderMark] || start === undefined) return;
  return start + draftSeconds + (orderDays.untilDue + orderDays.untilEnd) * daySeconds;
}

/**
 * Whether an ordered plan may be unpaid beyond its limit; `now` is in milliseconds. One that is active is looked at for two
 * days after it: it is paid, or Stripe could not finalize its invoice, or has made a later one that is paid.
 */
export function isPastLimit(subscription: Stripe.Subscription, now = Date.now()): boolean {
  const over = now / 1_000 - (orderLimit(subscription) ?? Number.POSITIVE_INFINITY);
  if (subscription.status === "active") return over > 0 && over < 2 * daySeconds;
  return subscription.status === "past_due" && over > 0;
}

/** An ordered plan beyond its limit, of which a part was paid. */
type PartlyPaid = { subscription: string; invoice: string };

/**
 * Ends ordered plans that are unpaid beyond their limit, and voids their invoices, so that nobody pays for nothing. The
 * plan ends first: an invoice that is void while it runs would count as settled. A run that was cut off between the two
 * is finished by the next. Nothing ends of which a part was paid: Stripe voids no such invoice. Returns those, and how
 * many requests were made. Throws when Stripe does not answer.
 */
export async function endUnpaidOrders(
  stripe: Stripe,
  subscriptions: readonly Stripe.Subscription[],
): Promise<{ partlyPaid: PartlyPaid[]; requests: number }> {
  const partlyPaid: PartlyPaid[] = [];
  let requests = 0;
  for (const listed of subscriptions) {
    const isEnded = listed.cancellation_details?.comment === unpaidOrderComment;
    if (!isEnded && !isPastLimit(listed)) continue;
    requests += 1;
    const invoices = await unpaidInvoices(stripe, listed);
    if (invoices.length === 0 || (!isEnded && invoices.some(isStillPayable))) continue;
    const paidInPart = invoices.find(({ amount_paid }) => amount_paid > 0);
    if (!isEnded && paidInPart) {
      partlyPaid.push({ subscription: listed.id, invoice: paidInPart.id });
      continue;
    }
    if (!isEnded) {
      requests += 1;
      await stripe.subscriptions.cancel(listed.id, {
        cancellation_details: { comment: unpaidOrderComment },
      });
      log.warn("An ordered plan was not paid and has ended", { subscription: listed.id });
    }
    // Of a plan that has ended a draft is never sent.
    for (const { id, status } of invoices) {
      if (status !== "open") continue;
      requests += 1;
      await voidInvoice(stripe, id);
    }
  }
  return { partlyPaid, requests };
}

/** An invoice that was finalized late is due later, and its plan lasts after that as long as others do. */
function isStillPayable({ status, due_date }: Stripe.Invoice): boolean {
  const ends = (due_date ?? 0) + orderDays.untilEnd * daySeconds;
  return status === "open" && ends * 1_000 > Date.now();
}

/**
 * The invoices of the period that was ordered, also one that Stripe could not finalize. A later one is the operator's, who
 * may have made it for something else.
 */
async function unpaidInvoices(
  stripe: Stripe,
  { id, items }: Stripe.Subscription,
): Promise<Stripe.Invoice[]> {
  const start = items.data[0]?.current_period_start ?? 0;
  const { data } = await stripe.invoices.list({ subscription: id, limit: 100 });
  return data.filter(
    ({ status, last_finalization_error, billing_reason, created }) =>
      (status === "open" || (status === "draft" && last_finalization_error !== null)) &&
      (billing_reason === "subscription_create" || billing_reason === "subscription_cycle") &&
      created <= start + daySeconds,
  );
}

async function voidInvoice(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.invoices.voidInvoice(id);
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    // It was paid in this moment: the operator gives the money back, or makes the plan anew.
    log.error("An invoice was paid as its plan ended", { invoice: id });
  }
}
