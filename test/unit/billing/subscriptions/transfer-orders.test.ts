import type Stripe from "stripe";
import { expect, test } from "vitest";
import {
  endUnpaidOrders,
  isPastLimit,
} from "../../../../app/features/billing/subscriptions/transfer-orders.server.ts";

const day = 24 * 60 * 60;
const overdue = {
  id: "sub_1",
  status: "past_due",
  metadata: { livekit_deploy_order: "pro" },
  items: { data: [{ current_period_start: 0 }] },
  cancellation_details: null,
} as unknown as Stripe.Subscription;
const ordered = {
  id: "in_1",
  status: "open",
  amount_paid: 0,
  last_finalization_error: null,
  billing_reason: "subscription_create",
  created: 0,
};

/** What is sent to Stripe about an order beyond its limit that has these invoices. */
async function endedWith(...invoices: object[]) {
  const sent: string[] = [];
  const stripe = {
    subscriptions: { cancel: async (id: string) => sent.push(`cancel ${id}`) },
    invoices: {
      list: async () => ({ data: invoices }),
      voidInvoice: async (id: string) => sent.push(`void ${id}`),
    },
  } as unknown as Stripe;
  const { partlyPaid } = await endUnpaidOrders(stripe, [overdue]);
  return { sent, partlyPaid };
}

test("an order beyond its limit ends, unless a part of it was paid", async () => {
  expect(await endedWith(ordered)).toEqual({ sent: ["cancel sub_1", "void in_1"], partlyPaid: [] });
  expect(await endedWith({ ...ordered, amount_paid: 1 })).toEqual({
    sent: [],
    partlyPaid: [{ subscription: "sub_1", invoice: "in_1" }],
  });
});

test("an order whose invoice was finalized late ends with the days after that is due, not before", async () => {
  const dueIn = (days: number) => ({ ...ordered, due_date: Date.now() / 1_000 + days * day });
  expect((await endedWith(dueIn(3))).sent).toEqual([]);
  expect((await endedWith(dueIn(-6))).sent).toEqual([]);
  expect((await endedWith(dueIn(-8))).sent).toEqual(["cancel sub_1", "void in_1"]);
});

test("an order ends also beside a later invoice, which stays as it is, and where Stripe could not finalize its invoice", async () => {
  const later = { ...ordered, id: "in_2", status: "paid", billing_reason: "manual", created: day };
  expect((await endedWith(later, ordered)).sent).toEqual(["cancel sub_1", "void in_1"]);
  expect(
    (await endedWith({ ...later, status: "open" }, { ...ordered, status: "paid" })).sent,
  ).toEqual([]);
  expect((await endedWith({ ...ordered, status: "draft" })).sent).toEqual([]);
  const failed = { ...ordered, status: "draft", last_finalization_error: {} };
  expect((await endedWith(failed)).sent).toEqual(["cancel sub_1"]);
});

test("an order that is active is looked at for two days after its limit, one that is overdue for longer", () => {
  const past = (status: string, days: number) =>
    isPastLimit({ ...overdue, status } as Stripe.Subscription, (days * day + 2 * 3_600) * 1_000);
  expect([20, 21, 22, 23].map((days) => past("active", days))).toEqual([false, true, true, false]);
  expect([20, 21, 40].map((days) => past("past_due", days))).toEqual([false, true, true]);
  expect(past("canceled", 22)).toBe(false);
});
