import type Stripe from "stripe";
import { offers } from "~/content/plans";
import type { AppContext } from "~/http/app-context";
import { describeError, log } from "~/platform/log/log.server";
import { isScheduledByHand } from "./change-blocks";
import { type ChangeOutcome, done, refused } from "./outcome";
import { planChangeMark } from "./schedule-owner";
import { pauseAfterRound, readAgain, type StripePlan } from "./stripe-plans.server";
import { isContention, isRefusal } from "./stripe-refusals.server";
import type { Target } from "./target.server";

type Scope = { context: AppContext; stripe: Stripe };

const rounds = 5;

/**
 * Plans a change downwards for the end of the paid period, with a subscription schedule of two phases that is
 * released at its end. Nothing is charged and nothing is prorated. Two requests plan the change once: the result
 * is what Stripe says when the subscription is read again.
 */
export async function changeLater(
  scope: Scope,
  plan: StripePlan,
  target: Target,
): Promise<ChangeOutcome> {
  const { context, stripe } = scope;
  let current: StripePlan | undefined = plan;
  for (let round = 1; round <= rounds; round++) {
    const sent = await sendPhases(scope, current, target);
    const before: StripePlan = current;
    current = await readAgain(context.configuration, stripe, plan.subscription.id);
    if (!current) return refused("gone");
    if (isScheduledByHand(current)) return refused("by-hand");
    if (current.planned) {
      return current.planned.priceId === target.priceId ? done("scheduled") : refused("planned");
    }
    if (current.item.price.id !== plan.item.price.id) return refused("moved");
    if (current.subscription.pending_update) return refused("pending");
    // Our change was accepted but is not there: another request has taken it back.
    if (sent === "sent") return refused("moved");
    // Another request may have created or released the schedule in the meantime. Only if not, we were refused.
    const isSame = current.schedule?.id === before.schedule?.id;
    if (sent === "refused" && isSame) return refused("not-accepted");
    await pauseAfterRound(round);
  }
  return refused("unavailable");
}

/** Sends both phases to Stripe. If Stripe refuses them, a schedule that was created here is released again. */
async function sendPhases(
  { stripe }: Scope,
  plan: StripePlan,
  target: Target,
): Promise<"sent" | "overtaken" | "refused"> {
  let begun: Stripe.SubscriptionSchedule | undefined;
  try {
    await keepMethod(stripe, plan);
    if (!plan.schedule) {
      // No idempotency key is needed: a subscription has at most one schedule. With a key, a change that was
      // taken back could not be planned again.
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
  { item, subscription }: StripePlan,
  schedule: Stripe.SubscriptionSchedule,
  { offer, priceId }: Target,
): Promise<void> {
  const quantity = item.quantity === undefined ? {} : { quantity: item.quantity };
  // A phase without discounts or tax rates would remove those of the subscription.
  const discounts = subscription.discounts.map((discount) => ({
    discount: typeof discount === "string" ? discount : discount.id,
  }));
  const rates = ratesOf(subscription.default_tax_rates);
  const fields = {
    ...(discounts.length > 0 ? { discounts } : {}),
    ...(rates.length > 0 ? { default_tax_rates: rates } : {}),
  };
  const itemRates = ratesOf(item.tax_rates);
  const itemFields = { ...quantity, ...(itemRates.length > 0 ? { tax_rates: itemRates } : {}) };
  await stripe.subscriptionSchedules.update(schedule.id, {
    end_behavior: "release",
    metadata: planChangeMark,
    proration_behavior: "none",
    phases: [
      {
        items: [{ price: item.price.id, ...itemFields }],
        start_date: schedule.current_phase?.start_date ?? item.current_period_start,
        end_date: item.current_period_end,
        proration_behavior: "none",
        ...fields,
      },
      {
        items: [{ price: priceId, ...itemFields }],
        duration: { interval: offers[offer].interval, interval_count: 1 },
        proration_behavior: "none",
        ...fields,
      },
    ],
  });
}

const ratesOf = (rates: readonly Stripe.TaxRate[] | null | undefined) =>
  (rates ?? []).map(({ id }) => id);

/**
 * Copies the subscription's payment method to a customer that has none. A checkout saves the card on the
 * subscription only, and a phase without a payment method is charged to the customer's. A phase with one would
 * charge the old card even after the person has changed it.
 */
async function keepMethod(stripe: Stripe, { customer, onlyMethod }: StripePlan): Promise<void> {
  if (!onlyMethod) return;
  await stripe.customers.update(customer, {
    invoice_settings: { default_payment_method: onlyMethod },
  });
}

/** Takes a planned change back, so that the plan stays as it is. */
export async function keepPlan(stripe: Stripe, plan: StripePlan): Promise<ChangeOutcome> {
  if (isScheduledByHand(plan)) return refused("by-hand");
  await releaseSchedule(stripe, plan);
  return done("kept");
}

/** Releases the subscription from its schedule, which must be ours. Does nothing without a schedule. */
export async function releaseSchedule(stripe: Stripe, { schedule }: StripePlan): Promise<void> {
  if (schedule) await letGo(stripe, schedule);
}

/** Releases a schedule. It is no error when it was released already. */
async function letGo(stripe: Stripe, { id }: Stripe.SubscriptionSchedule): Promise<void> {
  try {
    await stripe.subscriptionSchedules.release(id);
  } catch (error) {
    if (!isContention(error) && !isRefusal(error)) throw error;
    const { status } = await stripe.subscriptionSchedules.retrieve(id);
    if (status === "active" || status === "not_started") throw error;
  }
}
