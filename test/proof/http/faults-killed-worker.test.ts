import { beforeAll, beforeEach, expect, test } from "vitest";
import { orderButton } from "../../support/billing/order.ts";
import { expectRecordsToEqualStripe } from "../../support/billing/records.ts";
import { buyAtStripe, stripe } from "../../support/billing/stripe-account.ts";
import { deliver, newestEvent, pauseDeliveries } from "../../support/billing/webhook-delivery.ts";
import { database } from "../../support/database/database.ts";
import { holdFirstAnswer } from "../../support/faults/fault-proxy.ts";
import { startSiteWithFaults } from "../../support/faults/site-with-faults.ts";
import { newcomer } from "../../support/provider-faults/users.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

type Site = Awaited<ReturnType<typeof startSiteWithFaults>>;

// Each test ends a Worker of its own; the one that goes on is started meanwhile, for all of them.
let next: Site;

beforeAll(async () => {
  next = await startSiteWithFaults();
  return () => next[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await resetFakes();
  await pauseDeliveries();
});

/** Where a request stands when its Worker ends: the answer of this address is there, and not read. */
const moments = {
  "the customer was made": { at: "stripeProxy", path: "/v1/customers", method: "POST" },
  "the session was made": { at: "stripeProxy", path: "/v1/checkout/sessions", method: "POST" },
  "Stripe was read": { at: "stripeProxy", path: "/v1/subscriptions", method: "GET" },
  "the rows were written": {
    at: "supabaseProxy",
    path: "/rest/v1/rpc/record_subscriptions",
    method: "POST",
  },
} as const;

/** Ends the Worker in the middle of what is asked of it; nobody is answered. */
async function killDuring(
  moment: keyof typeof moments,
  ask: (siteUrl: string) => Promise<Response>,
): Promise<void> {
  const site = await startSiteWithFaults();
  const { at, path, method } = moments[moment];
  const held = holdFirstAnswer(path, method);
  site[at].behave(held.handler);
  const answer = ask(site.url).then(
    ({ status }) => status,
    () => "none",
  );
  await held.reached;
  await site[Symbol.asyncDispose]();
  held.release();
  expect(await answer).not.toBe(200);
}

test.for(["the customer was made", "the session was made"] as const)(
  "a Worker that ends after %s leaves a checkout that the next try finds: one customer, one session",
  async (moment) => {
    const { userId, browser } = await newcomer(next.url, `${crypto.randomUUID()}@example.com`);
    await killDuring(moment, async (url) => (await orderButton(browser.twin(url), userId))());
    const again = await (await orderButton(browser, userId))();
    expect(again.status).toBe(200);
    const { id } = (await again.json()) as { id: string };
    expect((await stripe.checkout.sessions.list()).data.map((session) => session.id)).toEqual([id]);
    const customers = (await stripe.customers.list()).data;
    expect(customers.map(({ metadata }) => metadata.user_id)).toEqual([userId]);
    const { data: stored } = await database.from("customers").select("id, user_id");
    expect(stored).toEqual([{ id: customers[0]?.id, user_id: userId }]);
  },
);

test.for(["Stripe was read", "the rows were written"] as const)(
  "a Worker that ends after %s leaves a webhook that the next delivery finishes",
  async (moment) => {
    const { customer } = await buyAtStripe();
    const event = await newestEvent("checkout.session.completed", customer);
    await killDuring(moment, (siteUrl) => deliver(event, { siteUrl }));
    const notDone = await database.from("stripe_events").select("handled_at");
    expect(notDone.data?.filter(({ handled_at }) => handled_at !== null)).toEqual([]);

    const again = await deliver(event, { siteUrl: next.url });
    expect([again.status, await again.json()]).toEqual([200, { outcome: "Handled" }]);
    await expectRecordsToEqualStripe(customer);
    const { data: rows } = await database.from("subscriptions").select("id");
    expect(rows).toHaveLength(1);
  },
);
