import Stripe from "stripe";
import type { Delivery, DeliveryAttempt, StripeState } from "./state.ts";

/** The waits between tries, in milliseconds. Stripe tries for three days; here minutes suffice. */
const retryDelays = [500, 2_000, 5_000, 15_000, 60_000, 60_000, 60_000, 60_000, 60_000];
const attemptTimeout = 10_000;

/** Sends events to webhook endpoints, in the background and with retries. */
export type Deliveries = {
  /** Queues an event for every endpoint that listens to it. */
  announce(event: Stripe.Event): void;
  /** Hands one event over now, whatever happened to it before, even while paused. */
  deliverNow(eventId: string): Promise<DeliveryAttempt[]>;
  /** Holds new and waiting deliveries back, or lets them go. */
  pause(paused: boolean): void;
  /** Resolves when no first try is waiting or on its way. */
  settled(): Promise<void>;
  /** Ends every waiting try and every request on its way. */
  stop(): void;
};

/** Deliveries of the state's events to the state's endpoints. */
export function startDeliveries(state: StripeState): Deliveries {
  let stopping = new AbortController();
  const timers = new Map<Delivery, NodeJS.Timeout>();
  const underWay = new Set<Promise<unknown>>();

  async function attempt(delivery: Delivery): Promise<DeliveryAttempt> {
    const { signal } = stopping;
    const result = await post(state, delivery, signal);
    if (signal.aborted) return result;
    delivery.attempts.push(result);
    const accepted = result.status !== null && result.status >= 200 && result.status < 300;
    if (accepted) delivery.state = "delivered";
    const event = state.events[delivery.event];
    if (event)
      event.pending_webhooks = state.deliveries.filter(
        (each) => each.event === event.id && each.state === "pending",
      ).length;
    return result;
  }

  function schedule(delivery: Delivery): void {
    if (state.deliveryPaused || timers.has(delivery) || delivery.state !== "pending") return;
    const tries = delivery.attempts.length;
    const delay = tries === 0 ? 0 : retryDelays[tries - 1];
    if (delay === undefined) {
      delivery.state = "failed";
      return;
    }
    const { signal } = stopping;
    const timer = setTimeout(() => {
      timers.delete(delivery);
      const running = attempt(delivery).then(() => {
        underWay.delete(running);
        if (!signal.aborted) schedule(delivery);
      });
      underWay.add(running);
    }, delay);
    timer.unref();
    timers.set(delivery, timer);
  }

  function clearTimers(): void {
    for (const timer of timers.values()) clearTimeout(timer);
    timers.clear();
  }

  for (const delivery of state.deliveries) schedule(delivery);

  return {
    announce(event) {
      const listening = Object.values(state.webhookEndpoints).filter((endpoint) =>
        listensTo(endpoint, event.type),
      );
      event.pending_webhooks = listening.length;
      for (const endpoint of listening) {
        const delivery: Delivery = {
          event: event.id,
          endpoint: endpoint.id,
          state: "pending",
          attempts: [],
        };
        state.deliveries.push(delivery);
        schedule(delivery);
      }
    },
    async deliverNow(eventId) {
      const deliveries = state.deliveries.filter((delivery) => delivery.event === eventId);
      const attempts: DeliveryAttempt[] = [];
      for (const delivery of deliveries) {
        const timer = timers.get(delivery);
        if (timer) clearTimeout(timer);
        timers.delete(delivery);
        attempts.push(await attempt(delivery));
        schedule(delivery);
      }
      return attempts;
    },
    pause(paused) {
      state.deliveryPaused = paused;
      if (paused) clearTimers();
      else for (const delivery of state.deliveries) schedule(delivery);
    },
    async settled() {
      const firstTries = () =>
        [...timers.keys()].some((delivery) => delivery.attempts.length === 0);
      while (firstTries() || underWay.size > 0) {
        await Promise.all(underWay);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    stop() {
      clearTimers();
      stopping.abort();
      stopping = new AbortController();
    },
  };
}

function listensTo(endpoint: Stripe.WebhookEndpoint, type: string): boolean {
  const eventTypes = endpoint.enabled_events;
  return endpoint.status === "enabled" && (eventTypes.includes("*") || eventTypes.includes(type));
}

async function post(
  state: StripeState,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<DeliveryAttempt> {
  const at = Date.now();
  const endpoint = state.webhookEndpoints[delivery.endpoint];
  const secret = state.webhookSecrets[delivery.endpoint];
  const event = state.events[delivery.event];
  if (!endpoint || !secret || !event) return { at, status: null, error: "The endpoint is gone." };
  const payload = JSON.stringify(event, null, 2);
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret });
  try {
    const response = await fetch(endpoint.url, {
      method: "POST",
      body: payload,
      redirect: "manual",
      headers: {
        "content-type": "application/json; charset=utf-8",
        "stripe-signature": signature,
        "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
      },
      signal: AbortSignal.any([signal, AbortSignal.timeout(attemptTimeout)]),
    });
    await response.body?.cancel();
    return { at, status: response.status, error: null };
  } catch (error) {
    const reason = error instanceof Error ? (error.cause ?? error) : error;
    return { at, status: null, error: reason instanceof Error ? reason.message : String(reason) };
  }
}
