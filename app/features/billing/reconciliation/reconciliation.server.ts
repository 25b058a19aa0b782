import { type ServiceClient, serviceClient } from "~/platform/database/service-client.server";
import type { Configuration } from "~/platform/env/configuration.server";
import { describeError, log } from "~/platform/log/log.server";
import { stripeClient } from "../stripe/stripe.server";
import { resolveSecondPlans } from "../subscriptions/second-plan.server";
import { readCustomerAgain } from "../subscriptions/sync-subscription.server";
import {
  type PassProgress,
  readProgress,
  saveProgress,
  startOfPass,
} from "./reconciliation-progress.server";
import { compareNextPage, type Difference } from "./stripe-lists.server";

/**
 * How many requests a run plans to make. Cloudflare's free plan allows 50 calls of `fetch`; the rest is for
 * retries of Stripe's client, which sends a failed request up to twice again, and for other scheduled work.
 */
const requestsPerRun = 30;
/** Requests for a page: Stripe's list, its products, the comparison, saving. Further look-ups are counted. */
const requestsPerPage = 4;
/**
 * Requests to sync a customer: ticket, customer, subscriptions, address, record, and the look for a second plan. What is
 * rare takes more: products that nobody has looked up yet, an order beyond its limit, a second plan.
 */
const requestsPerCustomer = 6;
/** Requests to sync a customer whose account was deleted: also ends a plan and refunds what was paid for it. */
const requestsPerClosedCustomer = 13;
/** How many customers are synced at once: each makes two requests at once, and a Worker has six connections. */
const customersAtOnce = 3;

const restBetweenPasses = 60 * 60 * 1_000;
/** After so many failed runs in a row the pass skips the customers that fail, so that the others are reached. */
const failuresInARow = 3;

/**
 * How long ids of events are kept. Stripe repeats an event for 3 days by itself, and for 30 days by hand. One
 * that comes later is handled again, which is harmless: it only causes another sync.
 */
const eventsAreKeptMs = 30 * 24 * 60 * 60 * 1_000;
const eventsForgottenPerRun = 1_000;

type Run = { configuration: Configuration; database: ServiceClient; now: number };

/**
 * One run of the reconciliation. It continues where the last run stopped: it compares Stripe's lists with our
 * records and syncs every customer that differs. So changes whose webhook was lost are found.
 *
 * All writes go through `syncSubscription`, so a run may be repeated, be cut off anywhere, or overlap with
 * webhooks and another run. A record that Stripe does not have is logged and not removed; a customer that Stripe
 * does not know has no rights. With the key of another Stripe account this would be every customer, so when
 * Stripe knows none of ours the pass ends with an error and changes nothing. Never throws. `now` is in
 * milliseconds. Returns false when it is not yet time for the next pass.
 */
export async function reconcile(configuration: Configuration, now: number): Promise<boolean> {
  const run: Run = { configuration, database: serviceClient(configuration), now };
  try {
    let { version, place } = await readProgress(run.database);
    if (now < place.notBefore) return false;
    const forgottenEvents = await forgetOldEvents(run);
    let left = requestsPerRun - 2;
    for (let first = true; ; first = false) {
      const step = await takeStep(run, place, left, first);
      // Another run has saved in the meantime: it did the same work and is ahead.
      const overtaken = !(await saveProgress(run.database, version, step.place));
      left -= step.requests;
      if (step.outcome === "strangers") {
        log.error("Stripe knows none of our customers");
        return true;
      }
      if (step.failure) {
        log.error(stopped, { ...step.counts, ...describeError(step.failure.reason) });
        return true;
      }
      const done = step.outcome === "finished" && !overtaken;
      if (overtaken || step.outcome !== "moved" || left < requestsPerPage) {
        log.info("Records were reconciled with Stripe", { done, ...step.counts, forgottenEvents });
        return true;
      }
      version += 1;
      place = step.place;
    }
  } catch (error) {
    log.error(stopped, describeError(error));
    return true;
  }
}

const stopped = "The reconciliation stopped";

async function forgetOldEvents({ database, now }: Run): Promise<number> {
  const before = new Date(now - eventsAreKeptMs).toISOString();
  const { data } = await database
    .rpc("forget_stripe_events", { before, at_most: eventsForgottenPerRun })
    .throwOnError();
  return data ?? 0;
}

type Step = {
  outcome: "moved" | "stayed" | "finished" | "strangers";
  place: PassProgress;
  counts: PassProgress["counts"];
  requests: number;
  failure?: { reason: unknown } | undefined;
};

/** Compares one page and syncs as many customers as `requests` allow; in the first step at least one. */
async function takeStep(
  run: Run,
  place: PassProgress,
  requests: number,
  first: boolean,
): Promise<Step> {
  const stripe = stripeClient(run.configuration);
  const page = await compareNextPage(stripe, run.configuration, run.database, place, run.now);
  const open = page.differences
    .filter(({ customer_id: id }) => id >= place.from && !place.settled.includes(id))
    .sort((one, other) => (one.customer_id < other.customer_id ? -1 : 1));
  const forPage = Math.max(requestsPerPage, page.requests + 1);
  if (!page.ours) {
    const next = startOfPass(run.now + restBetweenPasses);
    return { outcome: "strangers", place: next, counts: place.counts, requests: forPage };
  }
  const {
    mended,
    gone,
    failed,
    failure,
    usedRequests: forCustomers,
  } = await mendAll(run.configuration, open, requests - forPage, first);

  const gaveUp = place.failures + 1 >= failuresInARow;
  const counts = {
    compared: place.counts.compared,
    mended: place.counts.mended + mended.length,
    gone: place.counts.gone + gone.length,
    failed: place.counts.failed + (gaveUp ? failed.length : 0),
  };
  const usedRequests = forPage + forCustomers;
  if (failure || mended.length + gone.length < open.length) {
    const over = [...place.settled, ...mended, ...gone, ...(gaveUp ? failed : [])];
    const left = open.find(({ customer_id }) => !over.includes(customer_id));
    const from = left?.customer_id ?? place.from;
    const settled = over.filter((id) => id >= from);
    const failures = failure && !gaveUp ? place.failures + 1 : 0;
    const stays = { ...place, counts, from, settled, failures };
    return { outcome: "stayed", place: stays, counts, requests: usedRequests, failure };
  }
  counts.compared += page.entries;
  const moved = { ...place, compared: page.next, from: "", settled: [], failures: 0, counts };
  if (page.next) return { outcome: "moved", place: moved, counts, requests: usedRequests };
  if (place.list === "subscriptions") {
    return {
      outcome: "moved",
      place: { ...moved, list: "customers" },
      counts,
      requests: usedRequests,
    };
  }
  const next = startOfPass(run.now + restBetweenPasses);
  return { outcome: "finished", place: next, counts, requests: usedRequests };
}

/**
 * Syncs customers, a few at a time, while `requests` allow it, and stops at the first failure, because the next
 * would most likely fail too. The first customer is synced alone: the prices that it looks up are then
 * remembered for the others. With `one` the first is synced in any case, so that every run makes progress.
 */
async function mendAll(
  configuration: Configuration,
  differences: readonly Difference[],
  requests: number,
  one: boolean,
) {
  const mended: string[] = [];
  const gone: string[] = [];
  const failed: string[] = [];
  let failure: { reason: unknown } | undefined;
  let usedRequests = 0;
  let done = 0;
  while (done < differences.length && !failure) {
    const next = differences.slice(done, done + (done === 0 ? 1 : customersAtOnce));
    const few = affordable(next, requests - usedRequests);
    if (few.length === 0 && one && done === 0) few.push(...next);
    if (few.length === 0) break;
    const outcomes = await Promise.allSettled(few.map((each) => mend(configuration, each)));
    for (const [index, outcome] of outcomes.entries()) {
      const each = few[index];
      if (!each) continue;
      if (outcome.status === "fulfilled") {
        (outcome.value.found ? mended : gone).push(each.customer_id);
        const { requests: used } = outcome.value;
        usedRequests += each.closed ? Math.max(costOf(each), used) : used;
      } else {
        failed.push(each.customer_id);
        usedRequests += costOf(each);
        failure ??= { reason: outcome.reason };
      }
    }
    done += few.length;
  }
  return { mended, gone, failed, failure, usedRequests };
}

/** Those of the customers for whom `requests` are enough. */
function affordable(differences: readonly Difference[], requests: number): Difference[] {
  let left = requests;
  return differences.filter((each) => {
    left -= costOf(each);
    return left >= 0;
  });
}

function costOf({ closed }: Difference): number {
  return closed ? requestsPerClosedCustomer : requestsPerCustomer;
}

/** Syncs a customer. `found` is false when Stripe lacks the customer or a subscription of our records. */
async function mend(
  configuration: Configuration,
  { customer_id, gone }: Difference,
): Promise<{ found: boolean; requests: number }> {
  const { atStripe, hasPlan, requests } = await readCustomerAgain(configuration, customer_id);
  if (atStripe === "unknown") {
    log.warn("A record is not at Stripe", { customer: customer_id });
    return { found: false, requests };
  }
  const missing = gone.filter((id) => !atStripe.has(id));
  for (const subscription of missing) {
    log.warn("A record is not at Stripe", { customer: customer_id, subscription });
  }
  if (hasPlan) await resolveSecondPlans(configuration, customer_id);
  return { found: missing.length === 0, requests: requests + (hasPlan ? 1 : 0) };
}
