import { beforeEach, expect, test } from "vitest";
import { change, changeMail, pressLink } from "../../../support/auth/account.ts";
import { foreignProduct } from "../../../support/billing/other-products.ts";
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
import type { ProxyHandler } from "../../../support/faults/fault-proxy.ts";
import { siteWithFaults } from "../../../support/faults/site-with-faults.ts";
import { sample, testInProof } from "../../../support/run/variants.ts";
import { settledStripeEvents } from "../../../support/site/control-fakes.ts";
import { textAt } from "../../../support/site/page-text.ts";
import { signedIn, Visitor } from "../../../support/site/visitor.ts";

const email = "customer.one@example.com";
const finished = "Records were reconciled with Stripe";
const json = { "content-type": "application/json" };
const faultySite = siteWithFaults();

beforeEach(pauseDeliveries);

type Listed = { id: string; customer?: string };

/** Stripe as it answers another account's key: it lists only these, and knows nobody else. */
const accountOf =
  (theirs: readonly string[]): ProxyHandler =>
  async ({ path }, forward) => {
    const customerId = /cus_\w+/.exec(path)?.[0];
    if (customerId && !theirs.includes(customerId)) {
      const error = { type: "invalid_request_error", code: "resource_missing", message: "No such" };
      return { status: 404, headers: json, body: JSON.stringify({ error }) };
    }
    const answer = await forward();
    if (!/^\/v1\/(customers|subscriptions)\?/.test(path)) return answer;
    const list: { data: Listed[] } = JSON.parse(Buffer.from(answer.body).toString());
    const data = list.data.filter((each) => theirs.includes(each.customer ?? each.id));
    return { ...answer, body: JSON.stringify({ ...list, data }) };
  };

test.each(sample(["lists strangers only", "lists nothing"], 1))(
  "a key of another account, whose Stripe %s, takes nobody's plan away and brings no stranger in",
  async (what) => {
    const visitor = await signedIn(email, faultySite().url);
    await buyAtStripe({ email, userId: await userIdOf(email) });
    await buyers(2);
    await runUntilDone(faultySite());
    const before = await allRecords();
    const stranger = await buyAtStripe({ email: "stranger@example.com" });
    const theirs = what === "lists nothing" ? [] : [stranger.customer];
    faultySite().recover();
    faultySite().stripeProxy.behave(accountOf(theirs));
    await beginAnew();
    await runUntilDone(faultySite(), 1);
    const errors = await faultySite().logged({ level: "error" });
    expect(errors.map(({ message }) => message)).toEqual(["Stripe knows none of our customers"]);
    expect(await allRecords()).toEqual(before);
    expect(await textAt(visitor, "/dashboard")).toContain("Active");
    expect(faultySite().everyLogLine().join()).not.toContain("A record is not at Stripe");

    // With the right key again the next pass does its work.
    faultySite().recover();
    await beginAnew();
    await runUntilDone(faultySite());
    const { customers } = await allRecords();
    const known = before.customers.map(({ id }) => id);
    expect(customers.map(({ id }) => id).toSorted()).toEqual(
      [...known, stranger.customer].toSorted(),
    );
  },
);

testInProof("a page of new customers only is not taken for another account's", async () => {
  const [former] = await buyers(1);
  await runUntilDone(faultySite());
  const created = await buyAtStripe({ email: "new@example.com" });
  faultySite().stripeProxy.behave(async (request, forward) => {
    const ofNew = accountOf([created.customer]);
    return request.path.includes(former?.customer ?? "") ? forward() : ofNew(request, forward);
  });
  await beginAnew();
  await runUntilDone(faultySite());
  expect(await recordedSubscriptions(created.customer)).toMatchObject([{ status: "active" }]);
});

/** In Stripe's list this subscription has a schedule whose next phase has so many prices of its own. */
const withScheduledPrices =
  (subscription: string, count: number): ProxyHandler =>
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

const priceRequests = () =>
  faultySite().stripeProxy.requests.filter(({ path }) => path.startsWith("/v1/prices/price_adhoc"));

testInProof(
  "prices that are scheduled for something else than our plans are not looked up",
  async () => {
    const { price } = await foreignProduct();
    const foreign = await buyAtStripe({ email: "reader@example.com", price });
    const ours = await buyAtStripe();
    faultySite().stripeProxy.behave(withScheduledPrices(foreign.subscription, 60));
    await runUntilDone(faultySite());
    expect(priceRequests()).toEqual([]);
    expect(await recordedSubscriptions(ours.customer)).toMatchObject([{ plan: "basic" }]);
    expect(await recordedSubscriptions(foreign.customer)).toMatchObject([{ plan: "none" }]);
  },
);

testInProof(
  "of a schedule with very many prices a few are looked up, and the pass is done",
  async () => {
    const { customer, subscription } = await buyAtStripe();
    faultySite().stripeProxy.behave(withScheduledPrices(subscription, 60));
    await faultySite().runScheduled();
    const requestCount =
      faultySite().stripeProxy.requests.length + faultySite().supabaseProxy.requests.length;
    expect(requestCount).toBeLessThanOrEqual(50);
    await runUntilDone(faultySite());
    expect(await faultySite().logged({ message: finished, done: true })).toHaveLength(1);
    expect(await recordedSubscriptions(customer)).toMatchObject([
      { plan: "basic", next_price_id: null, changes_at: null },
    ]);
  },
);

testInProof(
  "a run makes at most 50 requests where each plan that differs has looked-up prices and an address",
  async () => {
    const subscriptions: string[] = [];
    for (let number = 1; number <= 7; number++) {
      const address = `person.${number}@example.com`;
      const { data } = await database.auth.admin.createUser({
        email: address,
        email_confirm: true,
      });
      const userId = data.user?.id ?? "";
      const { subscription } = await buyAtStripe({ email: `former.${address}`, userId });
      await buyAtStripe({ email: address, price: (await foreignProduct()).price, userId });
      subscriptions.push(subscription);
    }
    await runUntilDone(faultySite());
    await stripe.subscriptions.update(subscriptions[0] ?? "", { cancel_at_period_end: true });
    for (const id of subscriptions.slice(1)) await stripe.subscriptions.cancel(id);
    faultySite().stripeProxy.behave(async (request, forward) => {
      let answer = forward;
      for (const id of subscriptions) {
        const inner = answer;
        answer = async () => {
          const given = await withScheduledPrices(id, 6)(request, inner);
          if (typeof given === "string") throw new Error(given);
          return given;
        };
      }
      return answer();
    });
    await beginAnew();
    const requests: number[] = [];
    for (let runs = 1; runs <= 30; runs++) {
      const former =
        faultySite().stripeProxy.requests.length + faultySite().supabaseProxy.requests.length;
      await faultySite().runScheduled();
      const now =
        faultySite().stripeProxy.requests.length + faultySite().supabaseProxy.requests.length;
      requests.push(now - former);
      if (((await reconciliationPlace())?.notBefore ?? 0) > Date.now()) break;
    }
    expect(requests.length).toBeGreaterThan(1);
    expect(requests.length).toBeLessThan(30);
    expect(Math.max(...requests)).toBeLessThanOrEqual(50);
  },
);

testInProof(
  "an address that Stripe refuses is logged once, until the person has another",
  async () => {
    await signedIn(email, faultySite().url);
    const { customer } = await buyAtStripe({ email, userId: await userIdOf(email) });
    await settledStripeEvents();
    await stripe.customers.update(customer, { email: "billing@elsewhere.example" });
    const refuse: ProxyHandler = async ({ method, path }, forward) => {
      if (method !== "POST" || !path.startsWith("/v1/customers/")) return forward();
      const error = { type: "invalid_request_error", code: "email_invalid", message: "Invalid" };
      return { status: 400, headers: json, body: JSON.stringify({ error }) };
    };
    faultySite().stripeProxy.behave(refuse);
    await runUntilDone(faultySite());
    await faultySite().logged({ message: "Stripe did not take an address" });

    faultySite().recover();
    faultySite().stripeProxy.behave(refuse);
    faultySite().stripeProxy.requests.length = 0;
    for (const _ of [1, 2]) {
      await beginAnew();
      await runUntilDone(faultySite());
    }
    expect(faultySite().stripeProxy.requests.filter(({ method }) => method === "POST")).toEqual([]);
    expect(faultySite().everyLogLine().join()).not.toContain("did not take an address");
    expect(await faultySite().logged({ message: finished })).toMatchObject([
      { mended: 0 },
      { mended: 0 },
    ]);

    faultySite().recover();
    const person = await signedIn(email, faultySite().url);
    await change(person, { intent: "change_email", email: "new@example.com" });
    await pressLink(email, changeMail, new Visitor(faultySite().url));
    faultySite().supabaseProxy.behave(async ({ path }, forward) =>
      path.includes("/rpc/begin_customer_sync") ? "cut off" : forward(),
    );
    await pressLink("new@example.com", changeMail, new Visitor(faultySite().url));
    await faultySite().logged({ message: "An address did not reach Stripe" });
    faultySite().recover();
    await beginAnew();
    await runUntilDone(faultySite());
    const found = await stripe.customers.retrieve(customer);
    expect(found.deleted ? undefined : found.email).toBe("new@example.com");
  },
);
