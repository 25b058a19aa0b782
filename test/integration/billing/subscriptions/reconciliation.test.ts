import { beforeAll, beforeEach, expect, test } from "vitest";
import { foreignProduct } from "../../../support/billing/other-products.ts";
import {
  addressOf,
  allRecords,
  beginAnew,
  buyers,
  reconciliationPlace,
  runUntilDone,
} from "../../../support/billing/reconciliation.ts";
import {
  expectRecordsToEqualStripe,
  recordedSubscriptions,
} from "../../../support/billing/records.ts";
import { buyAtStripe, receivedWrites, stripe } from "../../../support/billing/stripe-account.ts";
import { pauseDeliveries } from "../../../support/billing/webhook-delivery.ts";
import { database } from "../../../support/database/database.ts";
import {
  type SiteWithFaults,
  sharedSiteWithFaults,
} from "../../../support/faults/site-with-faults.ts";
import { sample, testInProof } from "../../../support/run/variants.ts";
import { resetFakes, stripeControl } from "../../../support/site/control-fakes.ts";

const finished = "Records were reconciled with Stripe";
const stopped = "The reconciliation stopped";

let site: SiteWithFaults;

beforeAll(async () => {
  site = await sharedSiteWithFaults();
});

beforeEach(async () => {
  site.recover();
  await resetFakes();
  await pauseDeliveries();
});

const isWrite = ({ path }: { path: string }) =>
  /rpc\/(record_sub|begin_customer_sync|note_missing)/.test(path);

test("what no webhook reported is found, and logged in one line without anybody's address", async () => {
  const [bought, cancelled, moved, deleted] = await buyers(4);
  await runUntilDone(site);
  for (const each of [bought, cancelled, moved, deleted]) {
    await expectRecordsToEqualStripe(each?.customer ?? "");
  }
  await stripe.subscriptions.cancel(cancelled?.subscription ?? "");
  await stripe.customers.update(moved?.customer ?? "", { email: "moved@example.com" });
  await stripe.customers.del(deleted?.customer ?? "");
  const { customer: new_ } = await buyAtStripe({ email: "new@example.com" });
  site.recover();
  await beginAnew();
  await runUntilDone(site);

  for (const each of [bought, cancelled, moved, deleted]) {
    await expectRecordsToEqualStripe(each?.customer ?? "");
  }
  await expectRecordsToEqualStripe(new_);
  expect(await addressOf(moved?.customer ?? "")).toBe("moved@example.com");
  expect(await addressOf(deleted?.customer ?? "")).toBeNull();
  expect(await site.logged({ message: finished })).toEqual([
    {
      level: "info",
      message: finished,
      requestId: expect.any(String),
      done: true,
      compared: 9,
      mended: 4,
      gone: 0,
      failed: 0,
      forgottenEvents: 0,
    },
  ]);
  expect(site.everyLogLine().join()).not.toContain("@");
});

testInProof(
  "a customer who was deleted after their plan had ended keeps no address here",
  async () => {
    const [ended] = await buyers(1);
    await stripe.subscriptions.cancel(ended?.subscription ?? "");
    await runUntilDone(site);
    expect(await addressOf(ended?.customer ?? "")).toBe("buyer.1@example.com");
    await stripe.customers.del(ended?.customer ?? "");
    await beginAnew();
    await runUntilDone(site);
    expect(await addressOf(ended?.customer ?? "")).toBeNull();
  },
);

test("when all is equal a pass writes nothing, here or at Stripe, and the next waits an hour", async () => {
  await buyers(3);
  await runUntilDone(site);
  const before = await allRecords();
  const written = (await receivedWrites()).length;
  await beginAnew();
  site.recover();
  const start = Date.now();
  await runUntilDone(site);
  expect(site.supabaseProxy.requests.filter(isWrite)).toEqual([]);
  expect(site.stripeProxy.requests.map(({ method }) => method)).toEqual(["GET", "GET"]);
  expect(await receivedWrites()).toHaveLength(written);
  expect(await allRecords()).toEqual(before);

  site.recover();
  await site.runScheduled(start + 59 * 60_000);
  expect(site.stripeProxy.requests).toEqual([]);
  // Each minute asks for mails and fleets that are due. At minutes of their own old sessions and trials end.
  const atTheirMinute = ["/rest/v1/rpc/end_old_sessions", "/rest/v1/rpc/remove_ended_trials"];
  const requestPaths = site.supabaseProxy.requests.map(({ path }) => path.replace(/\?.*/, ""));
  expect(requestPaths.filter((path) => !atTheirMinute.includes(path))).toEqual([
    "/rest/v1/reconciliation",
    "/rest/v1/rpc/claim_mails",
    "/rest/v1/rpc/due_fleets",
    "/rest/v1/rpc/due_webhook_events",
  ]);
  await site.runScheduled(Date.now() + 60 * 60_000);
  expect(site.stripeProxy.requests).toHaveLength(2);
});

testInProof(
  "customers whom former code recorded get their time at Stripe without being read again",
  async () => {
    await buyers(3);
    await runUntilDone(site);
    const before = await allRecords();
    await database
      .from("customers")
      .update({ stripe_created_at: null })
      .not("id", "is", null)
      .throwOnError();
    await beginAnew();
    site.recover();
    await runUntilDone(site);
    expect(site.stripeProxy.requests).toHaveLength(2);
    expect(await allRecords()).toEqual(before);
  },
);

test("a run that Stripe fails in the middle of is gone on with, and nobody is read twice", async () => {
  const bought = await buyers(6);
  let reads = 0;
  site.stripeProxy.behave(async ({ path }, forward) => {
    if (path.startsWith("/v1/customers/")) reads += 1;
    return reads > 3 ? "cut off" : forward();
  });
  await site.runScheduled();
  expect(await site.logged({ message: stopped })).toMatchObject([{ level: "error", mended: 3 }]);
  expect((await allRecords()).customers).toHaveLength(3);
  expect(await reconciliationPlace()).toMatchObject({ counts: { mended: 3, failed: 0 } });

  site.recover();
  await runUntilDone(site);
  expect(
    site.stripeProxy.requests.filter(({ path }) => path.startsWith("/v1/customers/")),
  ).toHaveLength(3);
  for (const { customer } of bought) await expectRecordsToEqualStripe(customer);
});

test.for(
  sample(
    [
      ["Stripe", () => site.stripeProxy],
      ["Supabase", () => site.supabaseProxy],
    ] as const,
    1,
  ),
)("a run without %s says so, and the next one does its work", async ([, way]) => {
  const [bought] = await buyers(1);
  way().behave(async () => ({ status: 400, body: "<html>" }));
  await site.runScheduled();
  expect(await site.logged({ message: stopped })).toMatchObject([{ level: "error" }]);
  expect((await allRecords()).customers).toEqual([]);
  way().behave();
  await runUntilDone(site);
  await expectRecordsToEqualStripe(bought?.customer ?? "");
});

testInProof("a customer who fails each time holds nobody up", async () => {
  const bought = await buyers(8);
  const poison = bought[6]?.customer ?? "";
  site.stripeProxy.behave(async ({ path }, forward) =>
    path.startsWith(`/v1/customers/${poison}`)
      ? { status: 400, body: '{"error":{"type":"api_error","message":"no"}}' }
      : forward(),
  );
  await runUntilDone(site, 12);
  // Once in the list of subscriptions, and once in that of customers.
  expect(await site.logged({ message: finished, done: true })).toMatchObject([{ failed: 2 }]);
  for (const { customer } of bought) {
    if (customer !== poison) await expectRecordsToEqualStripe(customer);
  }
  site.recover();
  await beginAnew();
  await runUntilDone(site);
  await expectRecordsToEqualStripe(poison);
});

test("a closed customer stays closed, and does not pay on", async () => {
  const [closed, other] = await buyers(2);
  await database
    .from("closed_customers")
    .insert({ id: closed?.customer ?? "" })
    .throwOnError();
  await runUntilDone(site);
  expect((await allRecords()).customers).toMatchObject([{ id: other?.customer }]);
  expect((await stripe.subscriptions.retrieve(closed?.subscription ?? "")).status).toBe("canceled");
  site.recover();
  await beginAnew();
  await runUntilDone(site);
  expect(await site.logged({ message: finished })).toMatchObject([{ done: true, mended: 0 }]);
  expect(await addressOf(closed?.customer ?? "")).toBeUndefined();
});

testInProof(
  "records that Stripe does not have are logged and kept, and an unknown customer is logged once",
  async () => {
    const { customer, subscription } = await buyAtStripe();
    await runUntilDone(site);
    const { subscriptions } = await allRecords();
    const [row] = subscriptions;
    if (!row) throw new Error("Nothing was recorded");
    await database
      .from("customers")
      .insert({ id: "cus_lost", origin: "guest", email: "l@example.com" });
    await database
      .from("subscriptions")
      .insert([
        { ...row, id: "sub_lost", customer_id: "cus_lost" },
        { ...row, id: "sub_stray" },
      ])
      .throwOnError();
    const before = await allRecords();
    site.recover();
    await beginAnew();
    await runUntilDone(site);
    expect(await site.logged({ message: finished, done: true })).toMatchObject([{ gone: 2 }]);
    const warnings = await site.logged({ message: "A record is not at Stripe" });
    expect(
      warnings.map(({ level, customer, subscription }) => [level, customer, subscription]),
    ).toEqual(
      expect.arrayContaining([
        ["warn", "cus_lost", undefined],
        ["warn", customer, "sub_stray"],
      ]),
    );
    expect((await allRecords()).subscriptions).toEqual(before.subscriptions);
    expect((await recordedSubscriptions(customer)).map(({ id }) => id)).toContain(subscription);

    site.recover();
    await beginAnew();
    await runUntilDone(site);
    expect(await site.logged({ message: finished, done: true })).toMatchObject([{ gone: 1 }]);
    const again = await site.logged({ message: "A record is not at Stripe" });
    expect(again.map(({ subscription }) => subscription)).toEqual(["sub_stray"]);
  },
);

testInProof(
  "however many records Stripe does not have, the place that is kept grows no longer",
  async () => {
    const lost = Array.from({ length: 20 }, (_, number) => ({
      id: `cus_lost_${number}`,
      origin: "guest" as const,
      email: `lost.${number}@example.com`,
    }));
    await buyers(1);
    await runUntilDone(site);
    site.recover();
    await beginAnew();
    await database.from("customers").insert(lost).throwOnError();
    const lengths = [];
    for (let run = 1; run <= 2; run++) {
      await site.runScheduled();
      lengths.push(JSON.stringify(await reconciliationPlace()).length);
    }
    // Only a count in it may have gained a digit.
    expect(lengths[1]).toBeLessThan((lengths[0] ?? 0) + 4);
    await runUntilDone(site, 5);
    expect(await site.logged({ message: finished, done: true })).toMatchObject([{ gone: 20 }]);
  },
);

test("notes of events are forgotten after thirty days, and not before", async () => {
  const day = 24 * 60 * 60_000;
  const note = (id: string, days: number) => ({
    id,
    type: "invoice.paid",
    created_at: new Date(Date.now() - days * day).toISOString(),
  });
  await database
    .from("stripe_events")
    .insert([note("evt_old", 30.1), note("evt_young", 29.9)])
    .throwOnError();
  await runUntilDone(site);
  expect((await allRecords()).events).toMatchObject([{ id: "evt_young" }]);
  expect(await site.logged({ message: finished })).toMatchObject([{ forgottenEvents: 1 }]);
});

testInProof("a plan that failed to renew or was refunded unheard of is found", async () => {
  const [failing, refunded] = await buyers(2);
  await runUntilDone(site);
  await stripeControl(`customers/${failing?.customer}/card`, { behaviour: "failing" });
  await stripeControl(`subscriptions/${failing?.subscription}/renew`);
  await stripeControl(`subscriptions/${refunded?.subscription}/refund`);
  await beginAnew();
  await runUntilDone(site);
  expect(await recordedSubscriptions(failing?.customer ?? "")).toMatchObject([
    { status: "past_due" },
  ]);
  expect(await recordedSubscriptions(refunded?.customer ?? "")).toMatchObject([
    { status: "canceled" },
  ]);
});

test.each(sample(["whose address changed", "who paid after their account was deleted"], 1))(
  "a run makes at most 50 requests, with all that the schedule does, where it finds many %s",
  async (what) => {
    for (let number = 1; number <= 7; number++) {
      const email = `person.${number}@example.com`;
      const { data } = await database.auth.admin.createUser({ email, email_confirm: true });
      const userId = data.user?.id ?? "";
      // A product for each, whose plan has to be looked up.
      await buyAtStripe({ email, price: (await foreignProduct()).price, userId });
      const { customer } = await buyAtStripe({ email: `former.${email}`, userId });
      if (what === "whose address changed") continue;
      await database.from("closed_customers").insert({ id: customer }).throwOnError();
    }
    const requests: number[] = [];
    for (let runs = 1; runs <= 20; runs++) {
      site.recover();
      await site.runScheduled();
      requests.push(site.stripeProxy.requests.length + site.supabaseProxy.requests.length);
      if (((await reconciliationPlace())?.notBefore ?? 0) > Date.now()) break;
    }
    expect(requests.length).toBeGreaterThan(2);
    expect(requests.length).toBeLessThan(20);
    expect(Math.max(...requests)).toBeLessThanOrEqual(50);
  },
);
