import { type ServiceClient, serviceClient } from "~/platform/database/service-client.server";
import type { Configuration } from "~/platform/env/configuration.server";
import { describeError, log } from "~/platform/log/log.server";
import { stripeClient } from "../stripe/stripe.server";
import { readCustomerAgain } from "../subscriptions/sync-subscription.server";
import { keepPlace, type Place, readPlace, startOfPass } from "./reconciliation-place.server";
import { compareNextPage, type Difference } from "./stripe-lists.server";

/**
 * Requests that a run may make, of the 50 that Cloudflare's free plan allows; it counts every `fetch`.
 * The rest is for what cannot be foreseen, such as Stripe's client asking up to twice again, and for what
 * else the schedule does.
 */
const requestsPerRun = 30;
/** Stripe's list, its products, the comparison and the place; a page that needs more look-ups counts them. */
const requestsPerPage = 4;
/** Ticket, customer, subscriptions, products, address and record; one that needed more counts what it needed. */
const requestsPerCustomer = 6;
/** The same, and what ends a plan of a closed customer that somebody still pays for, and gives the money back. */
const requestsPerClosedCustomer = 13;
/** Two requests of each go to Stripe at once, and a Worker has six connections. */
const customersAtOnce = 3;

const restBetweenPasses = 60 * 60 * 1_000;
/** An outage is waited for so long; then whoever still fails must not hold up everybody else. */
const failuresInARow = 3;

/**
 * Stripe repeats an event for three days by itself, and by hand for thirty. One that comes later is
 * handled once more, which is harmless: it only makes us read again.
 */
const eventsAreKeptMs = 30 * 24 * 60 * 60 * 1_000;
const eventsForgottenPerRun = 1_000;

type Run = { configuration: Configuration; database: ServiceClient; now: number };

/**
 * One run of the reconciliation: goes on comparing Stripe's lists with our records where the last run
 * stopped, and reads again whoever differs. Webhooks get lost; this finds what they did not tell.
 *
 * Everything is written by `syncSubscription`, so a run may be repeated, cut off anywhere, or overlap
 * with webhooks and another run. What Stripe does not have is told in the log and not removed, and a customer
 * that it does not know counts for nothing. With the key of another account that would be everybody: when Stripe
 * knows nobody of ours, the pass ends with an error and has changed nothing. Never throws. `now` is in
 * milliseconds. Answers whether it did anything, or rested between two passes.
 */
export async function reconcile(configuration: Configuration, now: number): Promise<boolean> {
  const run: Run = { configuration, database: serviceClient(configuration), now };
  try {
    let { version, place } = await readPlace(run.database);
    if (now < place.notBefore) return false;
    const forgottenEvents = await forgetOldEvents(run);
    let left = requestsPerRun - 2;
    for (let first = true; ; first = false) {
      const step = await takeStep(run, place, left, first);
      // Another run that was here meanwhile did the same work, and is ahead.
      const overtaken = !(await keepPlace(run.database, version, step.place));
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
  place: Place;
  counts: Place["counts"];
  requests: number;
  failure?: { reason: unknown } | undefined;
};

/** Compares one page, and mends as many customers as so many requests allow; in the first step one at least. */
async function takeStep(run: Run, place: Place, requests: number, first: boolean): Promise<Step> {
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
    spent: forCustomers,
  } = await mendAll(run.configuration, open, requests - forPage, first);

  const gaveUp = place.failures + 1 >= failuresInARow;
  const counts = {
    compared: place.counts.compared,
    mended: place.counts.mended + mended.length,
    gone: place.counts.gone + gone.length,
    failed: place.counts.failed + (gaveUp ? failed.length : 0),
  };
  const spent = forPage + forCustomers;
  if (failure || mended.length + gone.length < open.length) {
    const over = [...place.settled, ...mended, ...gone, ...(gaveUp ? failed : [])];
    const left = open.find(({ customer_id }) => !over.includes(customer_id));
    const from = left?.customer_id ?? place.from;
    const settled = over.filter((id) => id >= from);
    const failures = failure && !gaveUp ? place.failures + 1 : 0;
    const stays = { ...place, counts, from, settled, failures };
    return { outcome: "stayed", place: stays, counts, requests: spent, failure };
  }
  counts.compared += page.entries;
  const moved = { ...place, compared: page.next, from: "", settled: [], failures: 0, counts };
  if (page.next) return { outcome: "moved", place: moved, counts, requests: spent };
  if (place.list === "subscriptions") {
    return { outcome: "moved", place: { ...moved, list: "customers" }, counts, requests: spent };
  }
  const next = startOfPass(run.now + restBetweenPasses);
  return { outcome: "finished", place: next, counts, requests: spent };
}

/**
 * Mends customers while so many requests allow, a few at a time, until one fails: most likely the next would
 * fail too. The first goes alone: what it looks up about prices, the others need not. With `one` it goes in any
 * case, so that a run gets on.
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
  let spent = 0;
  let done = 0;
  while (done < differences.length && !failure) {
    const next = differences.slice(done, done + (done === 0 ? 1 : customersAtOnce));
    const few = affordable(next, requests - spent);
    if (few.length === 0 && one && done === 0) few.push(...next);
    if (few.length === 0) break;
    const outcomes = await Promise.allSettled(few.map((each) => mend(configuration, each)));
    for (const [index, outcome] of outcomes.entries()) {
      const each = few[index];
      if (!each) continue;
      if (outcome.status === "fulfilled") {
        (outcome.value.found ? mended : gone).push(each.customer_id);
        const { requests: used } = outcome.value;
        spent += each.closed ? Math.max(costOf(each), used) : used;
      } else {
        failed.push(each.customer_id);
        spent += costOf(each);
        failure ??= { reason: outcome.reason };
      }
    }
    done += few.length;
  }
  return { mended, gone, failed, failure, spent };
}

/** The first of them that so many requests are enough for. */
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

/** Reads a customer again. Not found when Stripe does not have what our records have. */
async function mend(
  configuration: Configuration,
  { customer_id, gone }: Difference,
): Promise<{ found: boolean; requests: number }> {
  const { atStripe, requests } = await readCustomerAgain(configuration, customer_id);
  if (atStripe === "unknown") {
    log.warn("A record is not at Stripe", { customer: customer_id });
    return { found: false, requests };
  }
  const missing = gone.filter((id) => !atStripe.has(id));
  for (const subscription of missing) {
    log.warn("A record is not at Stripe", { customer: customer_id, subscription });
  }
  return { found: missing.length === 0, requests };
}
