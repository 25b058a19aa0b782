import type Stripe from "stripe";
import { z } from "zod";
import type { Account } from "../account.ts";
import { noSuch } from "../errors.ts";
import { makePhase, makePhaseItem } from "../objects/schedules.ts";
import { periodEnd } from "../objects/subscriptions.ts";
import { flag, integer, metadata, text } from "../parameters.ts";
import { refusalOf } from "../rules/rules.ts";
import { now } from "../state.ts";
import { priceOf } from "./catalogue.ts";
import { mergedMetadata } from "./endpoint.ts";
import { prorationBehavior } from "./subscription-changes.ts";

const interval = z.enum(["day", "week", "month", "year"]);
const discount = z.strictObject({ discount: text });

/** A phase in an update of a schedule. `iterations` is gone since 2025-09-30. */
export const phaseParameter = z.strictObject({
  automatic_tax: z.strictObject({ enabled: flag }).optional(),
  billing_cycle_anchor: z.enum(["automatic", "phase_start"]).optional(),
  currency: text.optional(),
  default_payment_method: text.optional(),
  description: text.optional(),
  discounts: z.union([z.literal(""), z.array(discount)]).optional(),
  duration: z.strictObject({ interval, interval_count: integer.optional() }).optional(),
  end_date: integer.optional(),
  items: z
    .array(
      z.strictObject({
        metadata: metadata.optional(),
        price: text,
        quantity: integer.optional(),
      }),
    )
    .min(1),
  metadata: metadata.optional(),
  proration_behavior: prorationBehavior.optional(),
  start_date: integer.optional(),
});

type Given = z.output<typeof phaseParameter>;
type Phase = Stripe.SubscriptionSchedule.Phase;

/**
 * The phases of an update. They replace all that were there, so the one that is under way must be among
 * them, with the start that it has; what they do not name is unset.
 */
export function phasesFrom(
  account: Account,
  schedule: Stripe.SubscriptionSchedule,
  subscription: Stripe.Subscription,
  given: Given[],
): Phase[] {
  const phases: Phase[] = [];
  for (const [index, each] of given.entries()) {
    const param = `phases[${index}]`;
    const start = startOf(phases.at(-1), each, param);
    const end = endOf(account, each, start, index === given.length - 1, param);
    phases.push(phaseOf(account, subscription, each, { start, end, param }));
  }
  const current = phases.find(
    ({ start_date }) => start_date === schedule.current_phase?.start_date,
  );
  if (!current) throw refusalOf("current-phase-begins-otherwise");
  if (current.end_date <= now())
    throw refusalOf("current-phase-is-over", {
      param: `phases[${phases.indexOf(current)}][end_date]`,
    });
  return phases;
}

function startOf(before: Phase | undefined, given: Given, param: string): number {
  if (before === undefined) {
    if (given.start_date !== undefined) return given.start_date;
    throw refusalOf("phases-without-a-start");
  }
  if (given.start_date !== undefined && given.start_date !== before.end_date)
    throw refusalOf("gap-between-phases", { param: `${param}[start_date]` });
  return before.end_date;
}

function endOf(
  account: Account,
  given: Given,
  start: number,
  isLast: boolean,
  param: string,
): number {
  if (given.end_date !== undefined && given.duration !== undefined)
    throw refusalOf("phase-with-two-ends", { param: `${param}[duration]` });
  if (given.end_date !== undefined) {
    if (given.end_date > start) return given.end_date;
    throw refusalOf("phase-ends-before-it-begins", { param: `${param}[end_date]` });
  }
  if (given.duration) {
    const { interval: length, interval_count = 1 } = given.duration;
    return periodEnd(start, { interval: length, interval_count });
  }
  const price = priceOf(account, given.items[0]?.price ?? "", `${param}[items][0][price]`);
  if (isLast && price.recurring) return periodEnd(start, price.recurring);
  throw refusalOf("phase-without-an-end", { param: `${param}[end_date]` });
}

function phaseOf(
  account: Account,
  subscription: Stripe.Subscription,
  given: Given,
  { start, end, param }: { start: number; end: number; param: string },
): Phase {
  const items = given.items.map((item, index) => {
    const at = `${param}[items][${index}]`;
    const price = priceOf(account, item.price, `${at}[price]`);
    const hasPrice = subscription.items.data.some((each) => each.price.id === price.id);
    const named = { param: `${at}[price]` };
    if (!price.recurring) throw refusalOf("phase-with-a-price-paid-once", named);
    if (!price.active && !hasPrice) throw refusalOf("phase-with-an-archived-price", named);
    return {
      ...makePhaseItem(price.id, item.quantity ?? 1),
      metadata: mergedMetadata({}, item.metadata),
    };
  });
  const card = given.default_payment_method;
  if (card && account.state.paymentMethods[card]?.customer !== subscription.customer)
    throw noSuch("PaymentMethod", card, `${param}[default_payment_method]`);
  return makePhase({
    billing_cycle_anchor: given.billing_cycle_anchor ?? null,
    currency: given.currency ?? subscription.currency,
    default_payment_method: card || null,
    description: given.description ?? null,
    discounts: (given.discounts || []).map((each) => ({
      coupon: null,
      discount: each.discount,
      promotion_code: null,
    })),
    start_date: start,
    end_date: end,
    items,
    metadata: mergedMetadata({}, given.metadata),
    proration_behavior: given.proration_behavior ?? "create_prorations",
  });
}
