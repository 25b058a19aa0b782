import type Stripe from "stripe";
import { beforeEach, expect, test } from "vitest";
import {
  expectRecordsToEqualStripe,
  recordedSubscriptions,
} from "../../../support/billing/records.ts";
import {
  buyAtStripe,
  cards,
  receivedRequests,
  stripe,
} from "../../../support/billing/stripe-account.ts";
import {
  deliver,
  eventsOf,
  newestEvent,
  pauseDeliveries,
} from "../../../support/billing/webhook-delivery.ts";
import { database } from "../../../support/database/database.ts";
import { amount, testInProof } from "../../../support/run/variants.ts";
import { resetFakes, stripeControl } from "../../../support/site/control-fakes.ts";

const purchaseEvents = [
  "customer.subscription.created",
  "invoice.paid",
  "customer.subscription.updated",
  "checkout.session.completed",
] as const;

beforeEach(async () => {
  await resetFakes();
  await pauseDeliveries();
});

async function eventsOfPurchase(customer: string): Promise<Stripe.Event[]> {
  const newestFirst = await eventsOf(customer);
  return purchaseEvents.map((type) => {
    const event = newestFirst.find((each) => each.type === type);
    if (!event) throw new Error(`Stripe sent no ${type}`);
    return event;
  });
}

/** As Stripe does: an event that was answered with 500, as when too much comes at once, comes again. */
async function deliverUntilTaken(event: object): Promise<number> {
  for (let deliveries = 1; ; deliveries++) {
    const { status } = await deliver(event);
    if (status !== 500 || deliveries === 5) return status;
  }
}

/** All orders of a purchase's four events; in `npm test` three of them. */
function orders(): number[][] {
  const all = ordersOf([0, 1, 2, 3]);
  return amount({ inTest: [3, 13, 22].flatMap((at) => all.slice(at, at + 1)), inProof: all });
}

function ordersOf<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((first, position) =>
    ordersOf(items.toSpliced(position, 1)).map((rest) => [first, ...rest]),
  );
}

const many = amount({ inTest: 10, inProof: 50 });

async function storedEvents() {
  const { data } = await database.from("stripe_events").select("id, handled_at").throwOnError();
  return data;
}

test(`the same event ${many} times is handled once`, async () => {
  const { customer } = await buyAtStripe();
  const event = await newestEvent("invoice.paid", customer);
  await deliver(event);
  const readOnce = (await receivedRequests()).length;
  for (let delivery = 2; delivery <= many; delivery++) {
    const response = await deliver(event);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ outcome: "Already handled" });
  }
  expect(await receivedRequests()).toHaveLength(readOnce);
  expect(await storedEvents()).toEqual([{ id: event.id, handled_at: expect.any(String) }]);
  await expectRecordsToEqualStripe(customer);
});

test(`${many} deliveries of one event at once end as one`, async () => {
  const { customer } = await buyAtStripe();
  const event = await newestEvent("checkout.session.completed", customer);
  const statuses = await Promise.all(Array.from({ length: many }, () => deliverUntilTaken(event)));
  expect(statuses).toEqual(Array(many).fill(200));
  expect(await storedEvents()).toEqual([{ id: event.id, handled_at: expect.any(String) }]);
  expect((await database.from("customers").select("id")).data).toEqual([{ id: customer }]);
  await expectRecordsToEqualStripe(customer);
});

testInProof(
  `${many} deliveries of four events at once, while the plan is cancelled, end at Stripe's state`,
  async () => {
    const { customer, subscription } = await buyAtStripe();
    const events = await eventsOfPurchase(customer);
    const first = Array.from({ length: many / 2 }, (_, turn) =>
      deliverUntilTaken(events[turn % 4] ?? {}),
    );
    await stripeControl(`subscriptions/${subscription}/cancel`);
    const cancelled = await newestEvent("customer.subscription.updated", customer);
    const second = Array.from({ length: many / 2 }, (_, turn) =>
      deliverUntilTaken(turn % 5 === 0 ? cancelled : (events[turn % 4] ?? {})),
    );
    expect(new Set(await Promise.all([...first, ...second]))).toEqual(new Set([200]));
    await expectRecordsToEqualStripe(customer);
    expect((await recordedSubscriptions(customer))[0]?.cancel_at).not.toBeNull();
  },
);

test("every order of a purchase's four events leaves what Stripe says, after each of them", async () => {
  for (const order of orders()) {
    const { customer } = await buyAtStripe();
    const events = await eventsOfPurchase(customer);
    for (const position of order) {
      expect((await deliver(events[position] ?? {})).status).toBe(200);
      await expectRecordsToEqualStripe(customer);
    }
  }
});

const changes = [
  (subscription: string) => stripeControl(`subscriptions/${subscription}/cancel`),
  (subscription: string) => stripeControl(`subscriptions/${subscription}/renew`),
  (subscription: string) => stripe.subscriptions.cancel(subscription),
];

testInProof(
  "every order is harmless when the plan is cancelled, falls behind or ends in between",
  async () => {
    const ends = new Set<string>();
    for (const [index, order] of orders().entries()) {
      const { customer, subscription } = await buyAtStripe({ card: cards.failsAtRenewal });
      const events = await eventsOfPurchase(customer);
      const moment = Math.floor(index / changes.length) % order.length;
      for (const [turn, position] of order.entries()) {
        if (turn === moment) await changes[index % changes.length]?.(subscription);
        expect((await deliver(events[position] ?? {})).status).toBe(200);
      }
      await expectRecordsToEqualStripe(customer);
      const [row] = await recordedSubscriptions(customer);
      ends.add(row?.cancel_at ? "cancelled" : (row?.status ?? ""));
    }
    expect(ends).toEqual(new Set(["cancelled", "past_due", "canceled"]));
  },
);

test("a cancellation that arrives before the creation is not undone by it", async () => {
  const { customer, subscription } = await buyAtStripe();
  await stripe.subscriptions.cancel(subscription);
  expect((await deliver(await newestEvent("customer.subscription.deleted", customer))).status).toBe(
    200,
  );
  expect(await recordedSubscriptions(customer)).toMatchObject([{ status: "canceled" }]);
  for (const event of await eventsOfPurchase(customer)) {
    expect((await deliver(event)).status).toBe(200);
    expect(await recordedSubscriptions(customer)).toMatchObject([{ status: "canceled" }]);
  }
  await expectRecordsToEqualStripe(customer);
});

testInProof("two customers' events at once do not mix", async () => {
  const one = await buyAtStripe({ email: "guest.one@example.com" });
  const two = await buyAtStripe({ email: "guest.two@example.com" });
  await stripeControl(`subscriptions/${two.subscription}/cancel`);
  const events = [
    ...(await eventsOfPurchase(one.customer)),
    ...(await eventsOfPurchase(two.customer)),
  ];
  await Promise.all(events.map((event) => deliver(event)));
  await expectRecordsToEqualStripe(one.customer);
  await expectRecordsToEqualStripe(two.customer);
});

test("a read with an older ticket is not written over a newer one", async () => {
  const { customer, subscription } = await buyAtStripe();
  await deliver(await newestEvent("invoice.paid", customer));
  const take = async () => (await database.rpc("take_sync_ticket").throwOnError()).data;
  const [older, newer] = [await take(), await take()];
  const [row] = (await database.from("subscriptions").select("*").throwOnError()).data;
  const write = async (ticket: number, status: string) =>
    (
      await database
        .rpc("record_subscriptions", {
          ticket,
          customer: { id: customer, user_id: null, email: `${status}@example.com` },
          customer_subscriptions: [{ ...row, status }],
        })
        .throwOnError()
    ).data;
  expect(await write(newer, "past_due")).toBe(true);
  expect(await write(older, "active")).toBe(false);
  expect(await write(newer, "active")).toBe(false);
  expect(await recordedSubscriptions(customer)).toMatchObject([
    { id: subscription, status: "past_due" },
  ]);
  expect((await database.from("customers").select("email")).data).toEqual([
    { email: "past_due@example.com" },
  ]);
});
