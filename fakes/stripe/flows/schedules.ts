import type Stripe from "stripe";
import type { Account } from "../account.ts";
import { isUnderWay, makePhaseItem } from "../objects/schedules.ts";
import { makeSubscriptionItem } from "../objects/subscriptions.ts";
import { idOf, onTheWire } from "../state.ts";
import { hasSameInterval, type ItemChange, type ProrationBehavior } from "./change-plan.ts";
import { updateSubscription } from "./payment.ts";

type Schedule = Stripe.SubscriptionSchedule;
type Phase = Stripe.SubscriptionSchedule.Phase;

/** The schedule that moves a subscription, if one does. */
export function scheduleOf(
  account: Account,
  subscription: Stripe.Subscription,
): Schedule | undefined {
  const schedule = subscription.schedule
    ? account.state.schedules[idOf(subscription.schedule)]
    : undefined;
  return schedule && isUnderWay(schedule) ? schedule : undefined;
}

/** The phase that a schedule is in, and the one after it. */
export function phasesAround(schedule: Schedule): { current?: Phase; next?: Phase } {
  const index = schedule.phases.findIndex(
    ({ start_date }) => start_date === schedule.current_phase?.start_date,
  );
  const [current, next] = index < 0 ? [] : schedule.phases.slice(index, index + 2);
  return { ...(current ? { current } : {}), ...(next ? { next } : {}) };
}

/** Changes a schedule and announces the change. */
export function updateSchedule(
  account: Account,
  schedule: Schedule,
  change: (schedule: Schedule) => void,
): void {
  const before = onTheWire(schedule);
  change(schedule);
  if (JSON.stringify(before) !== JSON.stringify(schedule))
    account.record("subscription_schedule.updated", schedule, before);
}

/** The items that a phase asks for; those of a subscription keep their ids, in their order. */
export function phaseItems(
  account: Account,
  subscription: Stripe.Subscription,
  phase: Phase,
): ItemChange[] {
  const changes: ItemChange[] = phase.items.map((item, index) => {
    const price = account.state.prices[idOf(item.price)];
    if (!price) throw new Error(`There is no price ${idOf(item.price)}.`);
    return { id: subscription.items.data[index]?.id, price, quantity: item.quantity ?? 1 };
  });
  const left = subscription.items.data.slice(phase.items.length);
  return [...changes, ...left.map(({ id }) => ({ id, deleted: true as const }))];
}

/** The items of a subscription in the period that begins at the given second with a phase. */
export function itemsFrom(
  account: Account,
  subscription: Stripe.Subscription,
  phase: Phase,
  at: number,
): Stripe.SubscriptionItem[] {
  return phaseItems(account, subscription, phase).flatMap((each) => {
    if (each.deleted) return [];
    const existing = subscription.items.data.find(({ id }) => id === each.id);
    const keepsDay = existing !== undefined && hasSameInterval(each.price, existing.price);
    const anchor = keepsDay ? subscription.billing_cycle_anchor : at;
    const made = makeSubscriptionItem(subscription.id, each.price, each.quantity, at, anchor);
    return existing ? [{ ...made, id: existing.id, created: existing.created }] : [made];
  });
}

/** What a phase sets besides the items. What it does not name is unset, as Stripe does it. */
export function applySettings(
  account: Account,
  subscription: Stripe.Subscription,
  schedule: Schedule,
  phase: Phase,
): void {
  updateSubscription(account, subscription, (each) => {
    const card = phase.default_payment_method ?? schedule.default_settings.default_payment_method;
    each.default_payment_method = card && idOf(card);
    each.discounts = phase.discounts.flatMap(({ discount }) => (discount ? [idOf(discount)] : []));
    each.metadata = { ...each.metadata, ...phase.metadata };
  });
}

/** Moves a schedule into its next phase. Its subscription's items are changed by the caller. */
export function enterPhase(
  account: Account,
  subscription: Stripe.Subscription,
  schedule: Schedule,
  phase: Phase,
): void {
  updateSchedule(account, schedule, (each) => {
    each.current_phase = { end_date: phase.end_date, start_date: phase.start_date };
  });
  applySettings(account, subscription, schedule, phase);
}

/** How a phase prorates what it changes. */
export function prorationOf({ proration_behavior: behavior }: Phase): ProrationBehavior {
  if (behavior === "none") return "none";
  return behavior === "always_invoice" ? "always_invoice" : "create_prorations";
}

/** Takes a schedule off its subscription, which goes on as it is. */
export function releaseSchedule(
  account: Account,
  schedule: Schedule,
  at: number,
  ended: "released" | "completed" = "released",
): void {
  const subscription = schedule.subscription
    ? account.state.subscriptions[idOf(schedule.subscription)]
    : undefined;
  schedule.status = ended;
  schedule.current_phase = null;
  schedule.released_subscription = subscription?.id ?? null;
  schedule.subscription = null;
  if (ended === "completed") schedule.completed_at = at;
  else schedule.released_at = at;
  account.record(`subscription_schedule.${ended}`, schedule);
  if (subscription)
    updateSubscription(account, subscription, (each) => {
      each.schedule = null;
    });
}

/** Ends the schedule of a subscription that ends. */
export function cancelSchedule(account: Account, schedule: Schedule, at: number): void {
  schedule.status = "canceled";
  schedule.canceled_at = at;
  schedule.current_phase = null;
  account.record("subscription_schedule.canceled", schedule);
}

/** A change made to the subscription itself is the current phase's from then on. */
export function followItems(account: Account, subscription: Stripe.Subscription): void {
  const schedule = scheduleOf(account, subscription);
  const current = schedule && phasesAround(schedule).current;
  if (!schedule || !current) return;
  const items = subscription.items.data.map(({ price, quantity }) =>
    makePhaseItem(price.id, quantity ?? 1),
  );
  updateSchedule(account, schedule, () => {
    current.items = items;
  });
}
