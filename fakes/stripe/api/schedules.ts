import type Stripe from "stripe";
import { z } from "zod";
import type { Account } from "../account.ts";
import { noSuch } from "../errors.ts";
import { changeSubscription } from "../flows/change.ts";
import {
  applySettings,
  phaseItems,
  phasesAround,
  releaseSchedule,
  scheduleOf,
  updateSchedule,
} from "../flows/schedules.ts";
import { endSubscription } from "../flows/time.ts";
import { pageOf } from "../lists.ts";
import { isUnderWay, makeSchedule } from "../objects/schedules.ts";
import { isOver } from "../objects/subscriptions.ts";
import { flag, metadata, paging, parameters, text } from "../parameters.ts";
import { refusalOf } from "../rules/rules.ts";
import { idOf, now } from "../state.ts";
import { type Endpoint, endpoint, mergedMetadata } from "./endpoint.ts";
import { phaseParameter, phasesFrom } from "./schedule-phases.ts";
import { prorationBehavior } from "./subscription-changes.ts";
import { subscriptionOf } from "./subscriptions.ts";

/** The schedule, unless there is none. */
export function existingSchedule(
  account: Account,
  id: string,
  param?: string,
): Stripe.SubscriptionSchedule {
  const schedule = account.state.schedules[id];
  if (!schedule) throw noSuch("subscription_schedule", id, param);
  return schedule;
}

function subscriptionUnder(
  account: Account,
  schedule: Stripe.SubscriptionSchedule,
  rule: "change-of-a-released-schedule" | "release-of-a-released-schedule",
): Stripe.Subscription {
  const { status } = schedule;
  if (!isUnderWay(schedule) || schedule.subscription === null) throw refusalOf(rule, { status });
  return subscriptionOf(account, idOf(schedule.subscription));
}

/** `/v1/subscription_schedules` */
export const scheduleEndpoints: Endpoint[] = [
  endpoint(
    "POST",
    "/v1/subscription_schedules",
    parameters({
      // The fake has no schedules but those of a subscription.
      from_subscription: text,
      end_behavior: z.enum(["cancel", "release"]).optional(),
      metadata: metadata.optional(),
      phases: z.array(phaseParameter).optional(),
    }),
    ({ account, params }): Stripe.SubscriptionSchedule => {
      const { from_subscription: _, expand: __, ...others } = params;
      const [parameter] = Object.keys(others);
      if (parameter)
        throw refusalOf("schedule-with-other-parameters", { parameter, param: parameter });
      const subscription = subscriptionOf(account, params.from_subscription, "from_subscription");
      const attached = scheduleOf(account, subscription);
      if (attached) throw refusalOf("second-schedule", { schedule: attached.id });
      const { status } = subscription;
      if (isOver(subscription) || status === "incomplete")
        throw refusalOf("schedule-after-the-end", { status });
      const schedule = makeSchedule(subscription);
      account.state.schedules[schedule.id] = schedule;
      subscription.schedule = schedule.id;
      account.record("subscription_schedule.created", schedule);
      return schedule;
    },
  ),

  endpoint(
    "GET",
    "/v1/subscription_schedules",
    parameters({ ...paging, customer: text.optional(), scheduled: flag.optional() }),
    ({ account, params }): Stripe.ApiList<Stripe.SubscriptionSchedule> => {
      const schedules = Object.values(account.state.schedules).filter(
        (each) =>
          (params.customer === undefined || each.customer === params.customer) &&
          (params.scheduled !== true || each.status === "not_started"),
      );
      return pageOf("/v1/subscription_schedules", schedules, params);
    },
  ),

  endpoint("GET", "/v1/subscription_schedules/:id", parameters({}), ({ account, id }) =>
    existingSchedule(account, id),
  ),

  endpoint(
    "POST",
    "/v1/subscription_schedules/:id",
    parameters({
      end_behavior: z.enum(["cancel", "release"]).optional(),
      metadata: metadata.optional(),
      phases: z.array(phaseParameter).min(1).optional(),
      proration_behavior: prorationBehavior.optional(),
    }),
    ({ account, params, id }): Stripe.SubscriptionSchedule => {
      const schedule = existingSchedule(account, id);
      const subscription = subscriptionUnder(account, schedule, "change-of-a-released-schedule");
      const phases = params.phases && phasesFrom(account, schedule, subscription, params.phases);
      updateSchedule(account, schedule, (each) => {
        each.end_behavior = params.end_behavior ?? each.end_behavior;
        each.metadata = mergedMetadata(each.metadata ?? {}, params.metadata);
        if (!phases) return;
        each.phases = phases;
        const current = phases.find(
          ({ start_date }) => start_date === each.current_phase?.start_date,
        );
        if (current)
          each.current_phase = { end_date: current.end_date, start_date: current.start_date };
      });
      const { current } = phasesAround(schedule);
      if (phases && current) {
        applySettings(account, subscription, schedule, current);
        const items = phaseItems(account, subscription, current);
        const differs = items.some((each, index) => {
          const existing = subscription.items.data[index];
          return (
            each.deleted ||
            each.price.id !== existing?.price.id ||
            each.quantity !== (existing.quantity ?? 1)
          );
        });
        if (differs)
          changeSubscription(account, subscription, {
            items,
            paymentBehavior: "allow_incomplete",
            prorationBehavior: params.proration_behavior ?? "create_prorations",
            metadata: null,
            cancelAtPeriodEnd: null,
          });
      }
      return schedule;
    },
  ),

  endpoint(
    "POST",
    "/v1/subscription_schedules/:id/release",
    parameters({ preserve_cancel_date: flag.optional() }),
    ({ account, id }): Stripe.SubscriptionSchedule => {
      const schedule = existingSchedule(account, id);
      subscriptionUnder(account, schedule, "release-of-a-released-schedule");
      releaseSchedule(account, schedule, now());
      return schedule;
    },
  ),

  endpoint(
    "POST",
    "/v1/subscription_schedules/:id/cancel",
    parameters({ invoice_now: flag.optional(), prorate: flag.optional() }),
    ({ account, id }): Stripe.SubscriptionSchedule => {
      const schedule = existingSchedule(account, id);
      endSubscription(
        account,
        subscriptionUnder(account, schedule, "change-of-a-released-schedule"),
        now(),
      );
      return schedule;
    },
  ),
];
