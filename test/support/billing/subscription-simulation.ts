import { stripeControl } from "../site/control-fakes.ts";
import type { Random } from "../site/random.ts";
import { prices, stripe } from "./stripe-account.ts";

/** A simulated customer, as far as the next step of their history depends on it. */
export type Simulated = {
  number: number;
  id: string;
  subscription: string;
  state: "running" | "over" | "deleted";
};

/** What happened at Stripe: the type of an event that reports it, and the customer. */
export type SimulatedEvent = { type: string; customer: string };

const everyPrice = Object.values(prices);
const addressOf = (number: number) => `customer.${number}@example.com`;

/** So many first purchases, at random prices and with cards that may fail later. */
export async function firstPurchases(
  random: Random,
  numbers: readonly number[],
): Promise<Simulated[]> {
  const purchases = numbers.map((number) => ({
    email: addressOf(number),
    price: random.pick(everyPrice),
    card: random.chance(0.2) ? "failing" : "good",
  }));
  const bought = (await stripeControl("purchases", { purchases })) as {
    customer: string;
    subscription: string;
  }[];
  return bought.map(({ customer, subscription }, index) => ({
    number: numbers[index] ?? 0,
    id: customer,
    subscription,
    state: "running",
  }));
}

type Step = { type: string; do(customer: Simulated): Promise<unknown> };

const at = (customer: Simulated, action: string) =>
  stripeControl(`subscriptions/${customer.subscription}/${action}`);
const card = ({ id }: Simulated, behaviour: "good" | "failing") =>
  stripeControl(`customers/${id}/card`, { behaviour });

/** A period ends: what was cancelled before is over then. Answers the subscription's status. */
async function renew(customer: Simulated): Promise<string> {
  const { status } = (await at(customer, "renew")) as { status: string };
  if (status === "canceled") customer.state = "over";
  return status;
}

const subscriptionUpdated = "customer.subscription.updated";
const subscriptionDeleted = "customer.subscription.deleted";

const whileRunning: Record<string, Step> = {
  renewal: { type: "invoice.paid", do: renew },
  failure: {
    type: "invoice.payment_failed",
    async do(customer) {
      await card(customer, "failing");
      await renew(customer);
    },
  },
  recovery: {
    type: "invoice.payment_succeeded",
    async do(customer) {
      await card(customer, "failing");
      // Where credit of an earlier change paid for the period, no invoice is open.
      if ((await renew(customer)) !== "past_due") return;
      await card(customer, "good");
      await at(customer, "pay");
    },
  },
  cancellation: { type: subscriptionUpdated, do: (customer) => at(customer, "cancel") },
  "cancellation at once": {
    type: subscriptionDeleted,
    async do(customer) {
      await stripe.subscriptions.cancel(customer.subscription);
      customer.state = "over";
    },
  },
  "cancellation and end": {
    type: subscriptionDeleted,
    async do(customer) {
      await at(customer, "cancel");
      await renew(customer);
    },
  },
  refund: {
    type: subscriptionDeleted,
    async do(customer) {
      await at(customer, "refund");
      customer.state = "over";
    },
  },
};

const atAnyTime: Record<string, Step> = {
  "change of address": {
    type: "customer.updated",
    do: ({ id, number }) => stripe.customers.update(id, { email: `moved.${addressOf(number)}` }),
  },
  deletion: {
    type: "customer.deleted",
    async do(customer) {
      await stripe.customers.del(customer.id);
      customer.state = "deleted";
    },
  },
};

const kindsWhileRunning = [
  ...["renewal", "renewal", "failure", "recovery", "cancellation", "cancellation at once"],
  ...["cancellation and end", "refund", "upgrade", "upgrade", "change of address", "deletion"],
];
const kindsWhenOver = ["purchase", "purchase", "change of address", "deletion"];

/**
 * The next step of a customer's history, chosen now and taken when it is called; undefined for somebody
 * who is deleted.
 */
export function nextStep(
  random: Random,
  customer: Simulated,
): (() => Promise<SimulatedEvent>) | undefined {
  if (customer.state === "deleted") return;
  const kind = random.pick(customer.state === "running" ? kindsWhileRunning : kindsWhenOver);
  const price = random.pick(everyPrice);
  const step: Step =
    whileRunning[kind] ??
    atAnyTime[kind] ??
    (kind === "upgrade" ? upgradeTo(price) : purchaseOf(price));
  return async () => {
    await step.do(customer);
    return { type: step.type, customer: customer.id };
  };
}

function upgradeTo(price: string): Step {
  return {
    type: subscriptionUpdated,
    async do({ subscription }) {
      const { items } = await stripe.subscriptions.retrieve(subscription);
      await stripe.subscriptions.update(subscription, {
        items: [{ id: items.data[0]?.id ?? "", price }],
      });
    },
  };
}

function purchaseOf(price: string): Step {
  return {
    type: "customer.subscription.created",
    async do(customer) {
      const purchase = { email: addressOf(customer.number), price, card: "good" };
      const [bought] = (await stripeControl("purchases", {
        purchases: [{ ...purchase, customer: customer.id }],
      })) as { subscription: string }[];
      customer.subscription = bought?.subscription ?? "";
      customer.state = "running";
    },
  };
}
