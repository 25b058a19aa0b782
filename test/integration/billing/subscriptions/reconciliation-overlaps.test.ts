import { beforeAll, beforeEach, expect, test } from "vitest";
import {
  addressOf,
  beginAnew,
  buyers,
  reconciliationPlace,
  reconciliationVersion,
  runUntilDone,
} from "../../../support/billing/reconciliation.ts";
import {
  expectRecordsToEqualStripe,
  recordedSubscriptions,
} from "../../../support/billing/records.ts";
import { buyAtStripe, stripe } from "../../../support/billing/stripe-account.ts";
import {
  deliver,
  newestEvent,
  pauseDeliveries,
} from "../../../support/billing/webhook-delivery.ts";
import { database } from "../../../support/database/database.ts";
import { holdFirstAnswer } from "../../../support/faults/fault-proxy.ts";
import {
  type SiteWithFaults,
  sharedSiteWithFaults,
} from "../../../support/faults/site-with-faults.ts";
import { testInProof } from "../../../support/run/variants.ts";
import { resetFakes } from "../../../support/site/control-fakes.ts";
import { variable } from "../../../support/site/variables.ts";

const finished = "Records were reconciled with Stripe";

let site: SiteWithFaults;

beforeAll(async () => {
  site = await sharedSiteWithFaults();
});

beforeEach(async () => {
  site.recover();
  await resetFakes();
  await pauseDeliveries();
});

/** A run that waits for the answer to its comparison until it is released. */
async function heldRun() {
  const slow = holdFirstAnswer("/rest/v1/rpc/compare_subscriptions");
  site.supabaseProxy.behave(slow.handler);
  const run = site.runScheduled();
  await slow.reached;
  return async () => {
    slow.release();
    await run;
  };
}

test("runs at the same time, and webhooks between them, end at Stripe's state", async () => {
  const bought = [];
  const events = [];
  for (let number = 1; number <= 9; number++) {
    const [one] = await buyers(1);
    if (!one) throw new Error("Nobody bought");
    bought.push(one);
    events.push(await newestEvent("checkout.session.completed", one.customer));
  }
  const deliveries = Promise.all(events.map((event) => deliver(event, { siteUrl: site.url })));
  await Promise.all([
    site.runScheduled(),
    site.runScheduled(),
    site.runScheduled(),
    deliveries,
    stripe.subscriptions.cancel(bought[0]?.subscription ?? ""),
  ]);
  expect((await deliveries).map(({ status }) => status)).toEqual(events.map(() => 200));
  // The cancellation had no webhook; everything else had one.
  for (const { customer } of bought.slice(1)) await expectRecordsToEqualStripe(customer);
  await beginAnew();
  await runUntilDone(site);
  for (const { customer } of bought) await expectRecordsToEqualStripe(customer);
});

test("a run that another one overtook neither takes its place back nor goes on", async () => {
  await buyers(2);
  const release = await heldRun();
  await runUntilDone(site);
  const place = await reconciliationPlace();
  const requestsBefore = site.stripeProxy.requests.length;
  await release();
  expect(await reconciliationPlace()).toEqual(place);
  // The two customers that it had found before are read again: two requests each.
  expect(site.stripeProxy.requests.length - requestsBefore).toBe(4);
  expect(await site.logged({ message: finished })).toMatchObject([{ done: true }, { done: false }]);
});

testInProof(
  "a run under way when the pass is to begin anew does not put its old place back",
  async () => {
    await buyers(1);
    await runUntilDone(site);
    await database
      .from("reconciliation")
      .update({ place: { ...(await reconciliationPlace()), notBefore: 0 } })
      .eq("only_row", true)
      .throwOnError();
    const release = await heldRun();
    await beginAnew();
    await release();
    expect(await reconciliationPlace()).toBeUndefined();
  },
);

test("a run that read before a webhook did is not written over it", async () => {
  const { customer, subscription } = await buyAtStripe();
  const slow = holdFirstAnswer(`/v1/subscriptions?customer=${customer}`);
  site.stripeProxy.behave(slow.handler);
  const run = site.runScheduled();
  await slow.reached;
  await stripe.subscriptions.cancel(subscription);
  const ended = await newestEvent("customer.subscription.deleted", customer);
  expect((await deliver(ended, { siteUrl: site.url })).status).toBe(200);
  slow.release();
  await run;
  expect(await recordedSubscriptions(customer)).toMatchObject([{ status: "canceled" }]);
  await expectRecordsToEqualStripe(customer);
});

test("no request starts a run", async () => {
  await buyers(1);
  const paths = ["/cdn-cgi/handler/scheduled", "/__scheduled", "/api/reconcile", "/"];
  for (const path of paths) {
    for (const method of ["GET", "POST"]) {
      const response = await fetch(`${site.url}${path}`, { method });
      await response.body?.cancel();
    }
  }
  const apikey = variable("SUPABASE_PUBLISHABLE_KEY");
  const attempts = [
    ["reconciliation", { version: 1, place: {} }],
    ["rpc/save_reconciliation_place", { seen: 0, next_place: {} }],
  ] as const;
  for (const [path, body] of attempts) {
    const response = await fetch(`${variable("SUPABASE_URL")}/rest/v1/${path}`, {
      method: "POST",
      headers: { apikey, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect([401, 403]).toContain(response.status);
  }
  // One run waits for its end; had there been another, the place would have been kept more often.
  await site.runScheduled();
  expect(await reconciliationVersion()).toBe(2);
});

testInProof(
  "a pass goes on where it stopped, also when the customer it stopped at was deleted",
  async () => {
    const [oldest, stoppedAt] = await buyers(2);
    const { created } = await stripe.subscriptions.retrieve(stoppedAt?.subscription ?? "");
    await stripe.customers.del(stoppedAt?.customer ?? "");
    await runUntilDone(site);
    const compared = { id: stoppedAt?.customer ?? "", createdAt: created * 1_000, tied: [] };
    const place = { ...(await reconciliationPlace()), notBefore: 0, list: "customers", compared };
    await database.from("reconciliation").update({ place }).eq("only_row", true).throwOnError();
    await stripe.customers.update(oldest?.customer ?? "", { email: "moved@example.com" });
    await runUntilDone(site);
    expect(await addressOf(oldest?.customer ?? "")).toBe("moved@example.com");
  },
);
