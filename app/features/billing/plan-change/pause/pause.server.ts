import { pauseMark, pauseOf } from "../../subscriptions/pause.server";
import { afterUpdate, type ChangeScope } from "../cancel/cancel.server";
import { whatBlocks } from "../change-blocks";
import { type ChangeOutcome, done, refused } from "../outcome";
import type { StripePlan } from "../stripe-plans.server";

const daySeconds = 24 * 60 * 60;
const months = [1, 2, 3] as const;

/**
 * Until when a plan can be paused: for one month, two and three from the end of what is paid. None where it cannot be:
 * of a year that is paid there is nothing to save, a void invoice would give the next one away, and somebody who has just
 * been paused pays once before the next pause. It ends a day before a renewal: an invoice of the same second could be
 * void.
 */
export function pauseEnds(plan: StripePlan): number[] {
  const { subscription, item, terms, latestInvoice } = plan;
  const isMonthly = terms.interval === "month" && terms.intervalCount === 1;
  const isPlain = subscription.status === "active" && subscription.pause_collection === null;
  if (!isMonthly || !isPlain || latestInvoice?.status !== "paid" || whatBlocks(plan)) return [];
  const { billing_cycle_anchor } = subscription;
  return months.map(
    (count) => renewalAfter(item.current_period_end, count, billing_cycle_anchor) - daySeconds,
  );
}

/** The renewal so many months after another: on the day of the first, or the last of a month that has no such day. */
function renewalAfter(renewal: number, count: number, anchor: number): number {
  const date = new Date(renewal * 1_000);
  const month = date.getUTCMonth() + count;
  const last = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate();
  date.setUTCMonth(month, Math.min(new Date(anchor * 1_000).getUTCDate(), last));
  return date.getTime() / 1_000;
}

const isPaused = ({ subscription }: StripePlan) => pauseOf(subscription) !== undefined;
const isRunning = (plan: StripePlan) => !isPaused(plan);

/** Pauses a plan from the end of what is paid until one of `pauseEnds`, which `until` names. */
export async function pausePlan(
  scope: ChangeScope,
  plan: StripePlan,
  until: string | null,
): Promise<ChangeOutcome> {
  if (isPaused(plan)) return done("paused");
  const resumes_at = pauseEnds(plan).find((each) => String(each) === until);
  if (resumes_at === undefined) return refused("moved");
  const work = scope.stripe.subscriptions.update(plan.subscription.id, {
    pause_collection: { behavior: "void", resumes_at },
    metadata: { [pauseMark]: String(plan.item.current_period_end) },
  });
  return afterUpdate(scope, plan, work, "paused", isPaused);
}

/**
 * Takes a pause back, or ends one that runs: then a new month begins and is charged. Two requests from one state have
 * one key without a time, so that the month is charged once whenever they come: the state names the invoice, and never
 * comes again. To take a pause back needs no key, and its state does come again: with one, the second time would get the
 * answer of the first and do nothing.
 */
export async function unpausePlan(
  scope: ChangeScope,
  plan: StripePlan,
  isAsShown: boolean,
): Promise<ChangeOutcome> {
  const pause = pauseOf(plan.subscription);
  if (!pause) return done("running");
  if (!isAsShown) return refused("moved");
  const { id } = plan.subscription;
  const ends = { pause_collection: "", metadata: { [pauseMark]: "" } } as const;
  const work = pause.runs
    ? scope.stripe.subscriptions.update(
        id,
        { ...ends, billing_cycle_anchor: { type: "now" }, proration_behavior: "none" },
        { idempotencyKey: `unpause-${id}-${plan.state}` },
      )
    : scope.stripe.subscriptions.update(id, ends);
  return afterUpdate(scope, plan, work, "running", isRunning);
}
