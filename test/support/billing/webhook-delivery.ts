import Stripe from "stripe";
import { stripeControl } from "../site/control-fakes.ts";
import { siteUrl } from "../site/own-site.ts";
import { variable } from "../site/variables.ts";
import { stripe } from "./stripe-account.ts";

export type Delivery = {
  siteUrl?: string;
  secret?: string;
  /** Seconds since 1970; now by default. */
  signedAt?: number;
  /** In place of the signature that fits; null for none. */
  signature?: string | null;
  /** In place of the body that was signed. */
  body?: string;
};

/** Hands an event to the site's webhook as Stripe does, or as somebody does who is not Stripe. */
export function deliver(event: object, delivery: Delivery = {}): Promise<Response> {
  const { siteUrl: target = siteUrl, secret = variable("STRIPE_WEBHOOK_SECRET") } = delivery;
  const payload = JSON.stringify(event);
  const signature =
    delivery.signature === undefined
      ? Stripe.webhooks.generateTestHeaderString({
          payload,
          secret,
          ...(delivery.signedAt ? { timestamp: delivery.signedAt } : {}),
        })
      : delivery.signature;
  return fetch(`${target}/api/stripe/webhook`, {
    method: "POST",
    body: delivery.body ?? payload,
    headers: {
      "content-type": "application/json; charset=utf-8",
      ...(signature === null ? {} : { "stripe-signature": signature }),
    },
  });
}

/** Holds the fake's own deliveries back, for tests that deliver by hand. */
export const pauseDeliveries = () => stripeControl("webhooks", { paused: true });

/** The events about this customer, newest first. */
export async function eventsOf(customer: string): Promise<Stripe.Event[]> {
  const { data: newestFirst } = await stripe.events.list({ limit: 30 });
  return newestFirst.filter(
    ({ data: { object } }) => "customer" in object && object.customer === customer,
  );
}

/** The newest event of this type about something of this customer's. */
export async function newestEvent(
  type: Stripe.Event["type"],
  customer: string,
): Promise<Stripe.Event> {
  const found = (await eventsOf(customer)).find((event) => event.type === type);
  if (!found) throw new Error(`Stripe sent no ${type}`);
  return found;
}

/** An event as Stripe would send it, about something that the fake does not send by itself. */
export function madeUpEvent(type: string, object: object, id = `evt_${crypto.randomUUID()}`) {
  const created = Math.floor(Date.now() / 1000);
  return { id, object: "event", api_version: null, created, type, data: { object } };
}
