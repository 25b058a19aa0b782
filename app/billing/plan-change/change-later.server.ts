import Stripe from "stripe";
import { offers } from "~/content/plans";
import type { RequestContext } from "~/request/request-context";
import { type ChangeOutcome, done, refused } from "./outcome";
import { type OwnPlan, readAgain } from "./own-plans.server";
import type { Target } from "./target.server";

type Scope = { asked: RequestContext; stripe: Stripe };

const rounds = 5;

/**
 * Plans a change downwards for the end of what is paid for: a schedule of two phases that then lets the
 * subscription go. Nothing is charged and nothing is prorated. Asked twice, it is planned once.
 */
export async function changeLater(
  { asked, stripe }: Scope,
  plan: OwnPlan,
  target: Target,
): Promise<ChangeOutcome> {
  const { id } = plan.subscription;
  let present: OwnPlan | undefined = plan;
  for (let round = 1; round <= rounds; round++) {
    if (!present) return refused("gone");
    if (present.planned) {
      return present.planned.priceId === target.priceId ? done("scheduled") : refused("planned");
    }
    if (present.item.price.id !== plan.item.price.id) return refused("moved");
    if (present.subscription.pending_update) return refused("pending");
    if (await planned(stripe, present, target)) return done("scheduled");
    // Another request is under way, or came first.
    await new Promise((resolve) => setTimeout(resolve, 250 * round));
    present = await readAgain(asked.configuration, stripe, id);
  }
  return refused("unavailable");
}

/** False when Stripe refused because of another request. */
async function planned(
  stripe: Stripe,
  plan: OwnPlan,
  { offer, priceId }: Target,
): Promise<boolean> {
  const { item, subscription } = plan;
  const quantity = item.quantity === undefined ? {} : { quantity: item.quantity };
  try {
    await keepMethod(stripe, plan);
    const schedule =
      plan.schedule ??
      // Without a key: a subscription takes one schedule, and one that was taken back may be planned again.
      (await stripe.subscriptionSchedules.create({ from_subscription: subscription.id }));
    const begun = schedule.current_phase?.start_date ?? item.current_period_start;
    // A phase that names none would lose the discounts that the subscription has.
    const discounts = subscription.discounts.map((discount) => ({
      discount: typeof discount === "string" ? discount : discount.id,
    }));
    const kept = discounts.length > 0 ? { discounts } : {};
    await stripe.subscriptionSchedules.update(schedule.id, {
      end_behavior: "release",
      proration_behavior: "none",
      phases: [
        {
          items: [{ price: item.price.id, ...quantity }],
          start_date: begun,
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
    return true;
  } catch (error) {
    if (isOvertaken(error)) return false;
    throw error;
  }
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

/** Whether Stripe refused because another request is under way, or has just changed what this one is for. */
export function isOvertaken(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeIdempotencyError ||
    error instanceof Stripe.errors.StripeInvalidRequestError ||
    (error instanceof Stripe.errors.StripeError &&
      (error.statusCode === 409 || error.code === "lock_timeout"))
  );
}

/** Takes a planned change back: the plan goes on as it is. */
export async function keepPlan(stripe: Stripe, plan: OwnPlan): Promise<ChangeOutcome> {
  await releaseSchedule(stripe, plan);
  return done("kept");
}

/** Lets a subscription go from its schedule; one that is released already is none. */
export async function releaseSchedule(stripe: Stripe, { schedule }: OwnPlan): Promise<void> {
  if (!schedule) return;
  try {
    await stripe.subscriptionSchedules.release(schedule.id);
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    const { status } = await stripe.subscriptionSchedules.retrieve(schedule.id);
    if (status === "active" || status === "not_started") throw error;
  }
}
