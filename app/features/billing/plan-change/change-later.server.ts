import type Stripe from "stripe";
import { offers } from "~/content/plans";
import type { AppContext } from "~/http/app-context";
import { describeError, log } from "~/platform/log/log.server";
import { isScheduledByHand } from "./change-blocks";
import { type ChangeOutcome, done, refused } from "./outcome";
import { type OwnPlan, pauseAfterRound, readAgain } from "./own-plans.server";
import { ownMark } from "./schedule-owner";
import { isContention, isRefusal } from "./stripe-refusals.server";
import type { Target } from "./target.server";

type Scope = { context: AppContext; stripe: Stripe };

const rounds = 5;

/**
 * Plans a change downwards for the end of what is paid for: a schedule of two phases that then lets the
 * subscription go. Nothing is charged and nothing is prorated. Asked twice, it is planned once; whether it
 * is planned is what Stripe says when it is read again.
 */
export async function changeLater(
  scope: Scope,
  plan: OwnPlan,
  target: Target,
): Promise<ChangeOutcome> {
  const { context, stripe } = scope;
  let present: OwnPlan | undefined = plan;
  for (let round = 1; round <= rounds; round++) {
    const sent = await sendPhases(scope, present, target);
    const before: OwnPlan = present;
    present = await readAgain(context.configuration, stripe, plan.subscription.id);
    if (!present) return refused("gone");
    if (isScheduledByHand(present)) return refused("by-hand");
    if (present.planned) {
      return present.planned.priceId === target.priceId ? done("scheduled") : refused("planned");
    }
    if (present.item.price.id !== plan.item.price.id) return refused("moved");
    if (present.subscription.pending_update) return refused("pending");
    // Another request has taken it back meanwhile.
    if (sent === "sent") return refused("moved");
    // One that came first may have begun, or let go, the schedule that this one was about.
    const isSame = present.schedule?.id === before.schedule?.id;
    if (sent === "refused" && isSame) return refused("not-accepted");
    await pauseAfterRound(round);
  }
  return refused("unavailable");
}

/** Asks Stripe for both phases. A schedule that was begun here and refuses them is let go again. */
async function sendPhases(
  { stripe }: Scope,
  plan: OwnPlan,
  target: Target,
): Promise<"sent" | "overtaken" | "refused"> {
  let begun: Stripe.SubscriptionSchedule | undefined;
  try {
    await keepMethod(stripe, plan);
    if (!plan.schedule) {
      // Without a key: a subscription takes one schedule, and one that was taken back may be planned again.
      begun = await stripe.subscriptionSchedules.create({
        from_subscription: plan.subscription.id,
      });
    }
    const schedule = plan.schedule ?? begun;
    if (schedule) await setPhases(stripe, plan, schedule, target);
    return "sent";
  } catch (error) {
    if (isContention(error)) return "overtaken";
    if (!isRefusal(error)) throw error;
    log.error("A change of plan could not be planned", describeError(error));
    if (begun) await letGo(stripe, begun);
    return "refused";
  }
}

async function setPhases(
  stripe: Stripe,
  { item, subscription }: OwnPlan,
  schedule: Stripe.SubscriptionSchedule,
  { offer, priceId }: Target,
): Promise<void> {
  const quantity = item.quantity === undefined ? {} : { quantity: item.quantity };
  // A phase that names none would lose the discounts that the subscription has.
  const discounts = subscription.discounts.map((discount) => ({
    discount: typeof discount === "string" ? discount : discount.id,
  }));
  const kept = discounts.length > 0 ? { discounts } : {};
  await stripe.subscriptionSchedules.update(schedule.id, {
    end_behavior: "release",
    metadata: ownMark,
    proration_behavior: "none",
    phases: [
      {
        items: [{ price: item.price.id, ...quantity }],
        start_date: schedule.current_phase?.start_date ?? item.current_period_start,
        end_date: item.current_period_end,
        proration_behavior: "none",
        ...kept,
      },
      {
        items: [{ price: priceId, ...quantity }],
        duration: { interval: offers[offer].interval, interval_count: 1 },
        proration_behavior: "none",
        ...kept,
      },
    ],
  });
}

/**
 * A phase that names no payment method pays with the customer's; one that names one would go back to it
 * from a card that was changed meanwhile. A checkout gives its card to the subscription alone.
 */
async function keepMethod(stripe: Stripe, { customer, onlyMethod }: OwnPlan): Promise<void> {
  if (!onlyMethod) return;
  await stripe.customers.update(customer, {
    invoice_settings: { default_payment_method: onlyMethod },
  });
}

/** Takes a planned change back: the plan goes on as it is. */
export async function keepPlan(stripe: Stripe, plan: OwnPlan): Promise<ChangeOutcome> {
  if (isScheduledByHand(plan)) return refused("by-hand");
  await releaseSchedule(stripe, plan);
  return done("kept");
}

/** Lets a subscription go from its schedule, which must be ours. */
export async function releaseSchedule(stripe: Stripe, { schedule }: OwnPlan): Promise<void> {
  if (schedule) await letGo(stripe, schedule);
}

/** Releases a schedule; one that is released already is none. */
async function letGo(stripe: Stripe, { id }: Stripe.SubscriptionSchedule): Promise<void> {
  try {
    await stripe.subscriptionSchedules.release(id);
  } catch (error) {
    if (!isContention(error) && !isRefusal(error)) throw error;
    const { status } = await stripe.subscriptionSchedules.retrieve(id);
    if (status === "active" || status === "not_started") throw error;
  }
}
