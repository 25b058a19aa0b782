import type Stripe from "stripe";
import { expect, test } from "vitest";
import { endUnpaidOrders } from "../../../../app/features/billing/subscriptions/transfer-orders.server.ts";

const overdue = {
  id: "sub_1",
  status: "past_due",
  metadata: { livekit_deploy_order: "pro" },
  items: { data: [{ current_period_start: 0 }] },
  cancellation_details: null,
};

/** What is sent to Stripe about an order beyond its limit, of which so many cents were paid. */
async function endedWith(amountPaid: number) {
  const sent: string[] = [];
  const stripe = {
    subscriptions: {
      retrieve: async () => ({
        ...overdue,
        latest_invoice: { id: "in_1", status: "open", amount_paid: amountPaid },
      }),
      cancel: async (id: string) => sent.push(`cancel ${id}`),
    },
    invoices: { voidInvoice: async (id: string) => sent.push(`void ${id}`) },
  } as unknown as Stripe;
  const subscriptions = [overdue] as unknown as Stripe.Subscription[];
  return { sent, partlyPaid: await endUnpaidOrders(stripe, subscriptions) };
}

test("an order beyond its limit ends, unless a part of it was paid", async () => {
  expect(await endedWith(0)).toEqual({ sent: ["cancel sub_1", "void in_1"], partlyPaid: [] });
  expect(await endedWith(1)).toEqual({
    sent: [],
    partlyPaid: [{ subscription: "sub_1", invoice: "in_1" }],
  });
});
