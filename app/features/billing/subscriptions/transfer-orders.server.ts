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

/** Whether an ordered plan is unpaid beyond its limit; `now` is in milliseconds. */
export function isPastLimit(subscription: Stripe.Subscription, now = Date.now()): boolean {
  const limit = orderLimit(subscription);
  return subscription.status === "past_due" && limit !== undefined && limit * 1_000 < now;
}

/** An ordered plan beyond its limit, of which a part was paid. */
type PartlyPaid = { subscription: string; invoice: string };

/**
 * Ends ordered plans that are unpaid beyond their limit, and voids their invoices, so that nobody pays for nothing. The
 * plan ends first: an invoice that is void while it runs would count as settled. A run that was cut off between the two
 * is finished by the next. Nothing ends of which a part was paid: Stripe voids no such invoice. Returns those. Throws
 * when Stripe does not answer.
 */
export async function endUnpaidOrders(
  stripe: Stripe,
  subscriptions: readonly Stripe.Subscription[],
): Promise<PartlyPaid[]> {
  const partlyPaid: PartlyPaid[] = [];
  for (const listed of subscriptions) {
    const isEnded = listed.cancellation_details?.comment === unpaidOrderComment;
    if (!isEnded && !isPastLimit(listed)) continue;
    const current = await stripe.subscriptions.retrieve(listed.id, { expand: ["latest_invoice"] });
    const invoice = current.latest_invoice;
    if (!invoice || typeof invoice === "string" || invoice.status !== "open") continue;
    if (!isEnded) {
      if (!isPastLimit(current)) continue;
      if (invoice.amount_paid > 0) {
        partlyPaid.push({ subscription: current.id, invoice: invoice.id });
        continue;
      }
      await stripe.subscriptions.cancel(current.id, {
        cancellation_details: { comment: unpaidOrderComment },
      });
      log.warn("An ordered plan was not paid and has ended", { subscription: current.id });
    }
    try {
      await stripe.invoices.voidInvoice(invoice.id);
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
      // It was paid in this moment: the operator gives the money back, or makes the plan anew.
      log.error("An invoice was paid as its plan ended", { invoice: invoice.id });
    }
  }
  return partlyPaid;
}
