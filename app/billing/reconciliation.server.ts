import type { Configuration } from "~/configuration/configuration.server";
import { type ServiceClient, serviceClient } from "~/database/service-client.server";
import { describeError, log } from "~/observability/log.server";
import { keepPlace, type Place, readPlace, startOfPass } from "./reconciliation-place.server";
import { stripeClient } from "./stripe.server";
import { compareNextPage, type Difference } from "./stripe-lists.server";
import { syncSubscription } from "./sync-subscription.server";

/**
 * Requests that a run may make, of the 50 that Cloudflare's free plan allows; it counts every `fetch`.
 * The rest is for what cannot be foreseen, such as Stripe's client asking up to twice again, and for what
 * else the schedule does.
 */
const requestsPerRun = 30;
/** Stripe's list, its products, the comparison and the place; a page that needs more look-ups counts them. */
const requestsPerPage = 4;
/** Ticket, customer, subscriptions, products and record. */
const requestsPerCustomer = 5;
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
 * with webhooks and another run. What Stripe does not have is told in the log and not removed: with
 * another account's key that would be everything. Never throws. `now` is in milliseconds. Answers whether
 * it did anything, or rested between two passes.
 */
export async function reconcile(configuration: Configuration, now: number): Promise<boolean> {
  const run: Run = { configuration, database: serviceClient(configuration), now };
  try {
    let { version, place } = await readPlace(run.database);
    if (now < place.notBefore) return false;
    const forgottenEvents = await forgetOldEvents(run);
    let left = requestsPerRun - 2;
    for (;;) {
      const step = await takeStep(run, place, left);
      // Another run that was here meanwhile did the same work, and is ahead.
      const overtaken = !(await keepPlace(run.database, version, step.place));
      left -= step.requests;
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
  outcome: "moved" | "stayed" | "finished";
  place: Place;
  counts: Place["counts"];
  requests: number;
  failure?: { reason: unknown } | undefined;
};

/** Compares one page, and mends as many customers as so many requests allow. */
async function takeStep(run: Run, place: Place, requests: number): Promise<Step> {
  const stripe = stripeClient(run.configuration);
  const page = await compareNextPage(stripe, run.configuration, run.database, place, run.now);
  const open = page.differences
    .filter(({ customer_id: id }) => id >= place.from && !place.settled.includes(id))
    .sort((one, other) => (one.customer_id < other.customer_id ? -1 : 1));
  const forPage = Math.max(requestsPerPage, page.requests + 1);
  const todo = affordable(open, requests - forPage);
  const { mended, gone, failed, failure } = await mendAll(run.configuration, todo);

  const gaveUp = place.failures + 1 >= failuresInARow;
  const counts = {
    compared: place.counts.compared,
    mended: place.counts.mended + mended.length,
    gone: place.counts.gone + gone.length,
    failed: place.counts.failed + (gaveUp ? failed.length : 0),
  };
  const spent = forPage + costOf(todo);
  if (failure || todo.length < open.length) {
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

/** The first of them that so many requests are enough for, and one in any case, so that a run gets on. */
function affordable(open: readonly Difference[], requests: number): Difference[] {
  const beyond = open.findIndex((_, index) => costOf(open.slice(0, index + 1)) > requests);
  return open.slice(0, beyond === -1 ? open.length : Math.max(beyond, 1));
}

function costOf(differences: readonly Difference[]): number {
  return differences.reduce(
    (sum, { closed }) => sum + (closed ? requestsPerClosedCustomer : requestsPerCustomer),
    0,
  );
}

/** Mends a few customers at a time, until one fails: most likely the next would fail too. */
async function mendAll(configuration: Configuration, differences: readonly Difference[]) {
  const mended: string[] = [];
  const gone: string[] = [];
  const failed: string[] = [];
  let failure: { reason: unknown } | undefined;
  for (let first = 0; first < differences.length && !failure; first += customersAtOnce) {
    const few = differences.slice(first, first + customersAtOnce);
    const outcomes = await Promise.allSettled(few.map((each) => mend(configuration, each)));
    for (const [index, outcome] of outcomes.entries()) {
      const id = few[index]?.customer_id ?? "";
      if (outcome.status === "fulfilled") (outcome.value ? mended : gone).push(id);
      else {
        failed.push(id);
        failure ??= { reason: outcome.reason };
      }
    }
  }
  return { mended, gone, failed, failure };
}

/** Reads a customer again. False when Stripe does not have what our records have. */
async function mend(
  configuration: Configuration,
  { customer_id, gone }: Difference,
): Promise<boolean> {
  const atStripe = await syncSubscription(configuration, customer_id);
  if (atStripe === "unknown") {
    log.warn("A record is not at Stripe", { customer: customer_id });
    return false;
  }
  const missing = gone.filter((id) => !atStripe.has(id));
  for (const subscription of missing) {
    log.warn("A record is not at Stripe", { customer: customer_id, subscription });
  }
  return missing.length === 0;
}
