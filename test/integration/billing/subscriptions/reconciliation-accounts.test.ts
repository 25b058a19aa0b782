import { beforeEach, expect, test } from "vitest";
import { change, changeMail, pressLink } from "../../../support/auth/account.ts";
import { foreignProduct } from "../../../support/billing/foreign-sales.ts";
import {
  allRecords,
  beginAnew,
  buyers,
  reconciliationPlace,
  runUntilDone,
} from "../../../support/billing/reconciliation.ts";
import { recordedSubscriptions } from "../../../support/billing/records.ts";
import { buyAtStripe, stripe } from "../../../support/billing/stripe-account.ts";
import { pauseDeliveries } from "../../../support/billing/webhook-delivery.ts";
import { database, userIdOf } from "../../../support/database/database.ts";
import type { Conduct } from "../../../support/faults/go-between.ts";
import { oneTroubledSite } from "../../../support/faults/one-troubled-site.ts";
import { settledStripeEvents } from "../../../support/site/fakes.ts";
import { signedIn, Visitor } from "../../../support/site/visitor.ts";
import { wordsAt } from "../../../support/site/words.ts";

const email = "customer.one@example.com";
const finished = "Records were reconciled with Stripe";
const json = { "content-type": "application/json" };
const troubled = oneTroubledSite();

beforeEach(pauseDeliveries);

type Listed = { id: string; customer?: string };

/** Stripe as it answers another account's key: it lists only these, and knows nobody else. */
const accountOf =
  (theirs: readonly string[]): Conduct =>
  async ({ path }, forward) => {
    const asked = /cus_\w+/.exec(path)?.[0];
    if (asked && !theirs.includes(asked)) {
      const error = { type: "invalid_request_error", code: "resource_missing", message: "No such" };
      return { status: 404, headers: json, body: JSON.stringify({ error }) };
    }
    const answer = await forward();
    if (!/^\/v1\/(customers|subscriptions)\?/.test(path)) return answer;
    const list: { data: Listed[] } = JSON.parse(Buffer.from(answer.body).toString());
    const data = list.data.filter((each) => theirs.includes(each.customer ?? each.id));
    return { ...answer, body: JSON.stringify({ ...list, data }) };
  };

test.each(["lists strangers only", "lists nothing"])(
  "a key of another account, whose Stripe %s, takes nobody's plan away and brings no stranger in",
  async (what) => {
    const visitor = await signedIn(email, troubled().url);
    await buyAtStripe({ email, userId: await userIdOf(email) });
    await buyers(2);
    await runUntilDone(troubled());
    const before = await allRecords();
    const stranger = await buyAtStripe({ email: "stranger@example.com" });
    const theirs = what === "lists nothing" ? [] : [stranger.customer];
    troubled().recover();
    troubled().stripeWay.behave(accountOf(theirs));
    await beginAnew();
    await runUntilDone(troubled(), 1);
    const told = await troubled().logged({ level: "error" });
    expect(told.map(({ message }) => message)).toEqual(["Stripe knows none of our customers"]);
    expect(await allRecords()).toEqual(before);
    expect(await wordsAt(visitor, "/dashboard")).toContain("Active");
    expect(troubled().everyLogLine().join()).not.toContain("A record is not at Stripe");

    // With the right key again the next pass does its work.
    troubled().recover();
    await beginAnew();
    await runUntilDone(troubled());
    expect((await allRecords()).customers).toHaveLength(4);
  },
);

test("a page of new customers only is not taken for another account's", async () => {
  const [former] = await buyers(1);
  await runUntilDone(troubled());
  const created = await buyAtStripe({ email: "new@example.com" });
  troubled().stripeWay.behave(async (asked, forward) => {
    const ofNew = accountOf([created.customer]);
    return asked.path.includes(former?.customer ?? "") ? forward() : ofNew(asked, forward);
  });
  await beginAnew();
  await runUntilDone(troubled());
  expect(await recordedSubscriptions(created.customer)).toMatchObject([{ status: "active" }]);
});

/** In Stripe's list this subscription has a schedule whose next phase has so many prices of its own. */
const withScheduledPrices =
  (subscription: string, count: number): Conduct =>
  async ({ path }, forward) => {
    const answer = await forward();
    if (!path.startsWith("/v1/subscriptions?")) return answer;
    const list: { data: Listed[] } = JSON.parse(Buffer.from(answer.body).toString());
    const items = Array.from({ length: count }, (_, number) => ({
      price: `price_adhoc_${subscription}_${number}`,
      quantity: 1,
    }));
    const schedule = {
      id: "sub_sched_many",
      object: "subscription_schedule",
      status: "active",
      current_phase: { start_date: 1, end_date: 2 },
      phases: [{ start_date: 2, end_date: null, items }],
    };
    const data = list.data.map((each) => (each.id === subscription ? { ...each, schedule } : each));
    return { ...answer, body: JSON.stringify({ ...list, data }) };
  };

const pricesAsked = () =>
  troubled().stripeWay.asked.filter(({ path }) => path.startsWith("/v1/prices/price_adhoc"));

test("prices that are scheduled for something else than our plans are not looked up", async () => {
  const { price } = await foreignProduct();
  const foreign = await buyAtStripe({ email: "reader@example.com", price });
  const own = await buyAtStripe();
  troubled().stripeWay.behave(withScheduledPrices(foreign.subscription, 60));
  await runUntilDone(troubled());
  expect(pricesAsked()).toEqual([]);
  expect(await recordedSubscriptions(own.customer)).toMatchObject([{ plan: "basic" }]);
  expect(await recordedSubscriptions(foreign.customer)).toMatchObject([{ plan: "none" }]);
});

test("of a schedule with very many prices a few are looked up, and the pass is done", async () => {
  const { customer, subscription } = await buyAtStripe();
  troubled().stripeWay.behave(withScheduledPrices(subscription, 60));
  await troubled().runScheduled();
  const asked = troubled().stripeWay.asked.length + troubled().supabaseWay.asked.length;
  expect(asked).toBeLessThanOrEqual(50);
  await runUntilDone(troubled());
  expect(await troubled().logged({ message: finished, done: true })).toHaveLength(1);
  expect(await recordedSubscriptions(customer)).toMatchObject([
    { plan: "basic", next_price_id: null, changes_at: null },
  ]);
});

test("a run makes at most 50 requests where each plan that differs has looked-up prices and an address", async () => {
  const subscriptions: string[] = [];
  for (let number = 1; number <= 7; number++) {
    const address = `person.${number}@example.com`;
    const { data } = await database.auth.admin.createUser({ email: address, email_confirm: true });
    const userId = data.user?.id ?? "";
    const { subscription } = await buyAtStripe({ email: `former.${address}`, userId });
    await buyAtStripe({ email: address, price: (await foreignProduct()).price, userId });
    subscriptions.push(subscription);
  }
  await runUntilDone(troubled());
  await stripe.subscriptions.update(subscriptions[0] ?? "", { cancel_at_period_end: true });
  for (const id of subscriptions.slice(1)) await stripe.subscriptions.cancel(id);
  troubled().stripeWay.behave(async (asked, forward) => {
    let answer = forward;
    for (const id of subscriptions) {
      const inner = answer;
      answer = async () => {
        const given = await withScheduledPrices(id, 6)(asked, inner);
        if (typeof given === "string") throw new Error(given);
        return given;
      };
    }
    return answer();
  });
  await beginAnew();
  const requests: number[] = [];
  for (let runs = 1; runs <= 30; runs++) {
    const former = troubled().stripeWay.asked.length + troubled().supabaseWay.asked.length;
    await troubled().runScheduled();
    const now = troubled().stripeWay.asked.length + troubled().supabaseWay.asked.length;
    requests.push(now - former);
    if (((await reconciliationPlace())?.notBefore ?? 0) > Date.now()) break;
  }
  expect(requests.length).toBeGreaterThan(1);
  expect(requests.length).toBeLessThan(30);
  expect(Math.max(...requests)).toBeLessThanOrEqual(50);
});

test("an address that Stripe refuses is told once, until the person has another", async () => {
  await signedIn(email, troubled().url);
  const { customer } = await buyAtStripe({ email, userId: await userIdOf(email) });
  await settledStripeEvents();
  await stripe.customers.update(customer, { email: "billing@elsewhere.example" });
  const refuse: Conduct = async ({ method, path }, forward) => {
    if (method !== "POST" || !path.startsWith("/v1/customers/")) return forward();
    const error = { type: "invalid_request_error", code: "email_invalid", message: "Invalid" };
    return { status: 400, headers: json, body: JSON.stringify({ error }) };
  };
  troubled().stripeWay.behave(refuse);
  await runUntilDone(troubled());
  await troubled().logged({ message: "Stripe did not take an address" });

  troubled().recover();
  troubled().stripeWay.behave(refuse);
  troubled().stripeWay.asked.length = 0;
  for (const _ of [1, 2]) {
    await beginAnew();
    await runUntilDone(troubled());
  }
  expect(troubled().stripeWay.asked.filter(({ method }) => method === "POST")).toEqual([]);
  expect(troubled().everyLogLine().join()).not.toContain("did not take an address");
  expect(await troubled().logged({ message: finished })).toMatchObject([
    { mended: 0 },
    { mended: 0 },
  ]);

  troubled().recover();
  const person = await signedIn(email, troubled().url);
  await change(person, { intent: "change_email", email: "new@example.com" });
  await pressLink(email, changeMail, new Visitor(troubled().url));
  troubled().supabaseWay.behave(async ({ path }, forward) =>
    path.includes("/rpc/begin_customer_sync") ? "cut off" : forward(),
  );
  await pressLink("new@example.com", changeMail, new Visitor(troubled().url));
  await troubled().logged({ message: "An address did not reach Stripe" });
  troubled().recover();
  await beginAnew();
  await runUntilDone(troubled());
  const found = await stripe.customers.retrieve(customer);
  expect(found.deleted ? undefined : found.email).toBe("new@example.com");
});
