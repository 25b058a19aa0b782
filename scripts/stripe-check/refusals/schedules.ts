import type Stripe from "stripe";
import type { scheduleRules } from "../../../fakes/stripe/rules/schedules.ts";
import type { Sandbox, Subscribed } from "../sandbox.ts";
import type { Attempt } from "./attempt.ts";

type Phases = Stripe.SubscriptionScheduleUpdateParams.Phase[];

/** The two phases of a change downwards, as the site sends them. */
export function downwardPhases({ start, end }: Subscribed, { prices }: Sandbox) {
  const once = (price: string) => [{ price, quantity: 1 }];
  return {
    current: { items: once(prices.basic), start_date: start, end_date: end },
    next: {
      items: once(prices.dearer),
      duration: { interval: "month" as const, interval_count: 1 },
      proration_behavior: "none" as const,
    },
  };
}

/** An update of a schedule with phases that are refused, and with those of `downwardPhases`. */
function phases(
  broken: (
    good: ReturnType<typeof downwardPhases>,
    subscribed: Subscribed,
    sandbox: Sandbox,
  ) => Phases,
): Attempt {
  return async (sandbox) => {
    const { subscriptionSchedules } = sandbox.stripe;
    const subscribed = await sandbox.subscription();
    const { id } = await subscriptionSchedules.create({ from_subscription: subscribed.id });
    const good = downwardPhases(subscribed, sandbox);
    return {
      refused: () =>
        subscriptionSchedules.update(id, { phases: broken(good, subscribed, sandbox) }),
      taken: () => subscriptionSchedules.update(id, { phases: [good.current, good.next] }),
    };
  };
}

async function released(sandbox: Sandbox) {
  const { subscriptionSchedules } = sandbox.stripe;
  const { id: from_subscription } = await sandbox.subscription();
  const over = await subscriptionSchedules.create({ from_subscription });
  await subscriptionSchedules.release(over.id);
  const running = await subscriptionSchedules.create({ from_subscription });
  return { subscriptionSchedules, over: over.id, running: running.id };
}

/** `current-phase-is-over` needs time to pass. */
export const scheduleAttempts = {
  "schedule-with-other-parameters": async (sandbox) => {
    const { subscriptionSchedules } = sandbox.stripe;
    const { id: from_subscription } = await sandbox.subscription();
    return {
      refused: () =>
        subscriptionSchedules.create({ from_subscription, metadata: { made_by: "check" } }),
      taken: () => subscriptionSchedules.create({ from_subscription }),
    };
  },
  "second-schedule": async (sandbox) => {
    const { subscriptionSchedules } = sandbox.stripe;
    const { id: from_subscription } = await sandbox.subscription();
    const { id } = await subscriptionSchedules.create({ from_subscription });
    return {
      refused: () => subscriptionSchedules.create({ from_subscription }),
      taken: async () => {
        await subscriptionSchedules.release(id);
        await subscriptionSchedules.create({ from_subscription });
      },
    };
  },
  "schedule-after-the-end": async (sandbox) => {
    const { subscriptionSchedules, subscriptions } = sandbox.stripe;
    const [over, running] = [await sandbox.subscription(), await sandbox.subscription()];
    await subscriptions.cancel(over.id);
    return {
      refused: () => subscriptionSchedules.create({ from_subscription: over.id }),
      taken: () => subscriptionSchedules.create({ from_subscription: running.id }),
    };
  },
  "phases-without-a-start": phases(({ current: { start_date: _, ...rest }, next }) => [rest, next]),
  "current-phase-begins-otherwise": phases(({ current, next }) => [
    { ...current, start_date: current.start_date + 60 },
    next,
  ]),
  "phase-with-two-ends": phases(({ current, next }) => [
    { ...current, duration: next.duration },
    next,
  ]),
  "phase-ends-before-it-begins": phases(({ current, next: { duration: _, ...rest } }) => [
    current,
    { ...rest, end_date: current.end_date },
  ]),
  "phase-without-an-end": phases(({ current: { end_date: _, ...rest }, next }) => [rest, next]),
  "gap-between-phases": phases(({ current, next }) => [
    current,
    { ...next, start_date: current.end_date + 60 },
  ]),
  "phase-with-an-archived-price": phases(({ current, next }, _, { prices }) => [
    current,
    { ...next, items: [{ price: prices.archived, quantity: 1 }] },
  ]),
  "phase-with-a-price-paid-once": phases(({ current, next }, _, { prices }) => [
    current,
    { ...next, items: [{ price: prices.once, quantity: 1 }] },
  ]),
  "change-of-a-released-schedule": async (sandbox) => {
    const { subscriptionSchedules, over, running } = await released(sandbox);
    const metadata = { note: "another" };
    return {
      refused: () => subscriptionSchedules.update(over, { metadata, end_behavior: "cancel" }),
      taken: () => subscriptionSchedules.update(running, { metadata, end_behavior: "cancel" }),
    };
  },
  "release-of-a-released-schedule": async (sandbox) => {
    const { subscriptionSchedules, over, running } = await released(sandbox);
    return {
      refused: () => subscriptionSchedules.release(over),
      taken: () => subscriptionSchedules.release(running),
    };
  },
} satisfies Partial<Record<keyof typeof scheduleRules, Attempt>>;
