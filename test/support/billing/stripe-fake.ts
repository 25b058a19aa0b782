import { once } from "node:events";
import { createServer } from "node:http";
import Stripe from "stripe";
import { expect } from "vitest";
import { startStripeFake } from "../../../fakes/stripe/fake.ts";
import { portBase } from "../site/own-site.ts";

export const secretKey = "sk_test_stand_in_0123456789";
const webhookSecret = "whsec_stand_in_test";
// The site and its fakes take the first eight of its ten ports: fakes/addresses.ts.
const ports = { fake: portBase + 8, receiver: portBase + 9 };
/** Where `startWebhookReceiver` listens. */
export const receiverUrl = `http://127.0.0.1:${ports.receiver}`;
export const prices = {
  basic: "price_test_basic",
  pro: "price_test_pro",
  monthly: "price_test_monthly",
  yearly: "price_test_yearly",
};
export const cards = {
  good: "4242 4242 4242 4242",
  declined: "4000 0000 0000 0002",
  failsLater: "4000 0000 0000 0341",
};

/** stripe-node, as the Worker has it, against the fake that this file starts. */
export function client(key = secretKey) {
  return new Stripe(key, {
    host: "127.0.0.1",
    port: ports.fake,
    protocol: "http",
    maxNetworkRetries: 0,
    telemetry: false,
  });
}

/** A webhook endpoint that checks signatures and gives these answers, then 200. */
export async function startWebhookReceiver(answers: number[] = []) {
  const events: Stripe.Event[] = [];
  const problems: unknown[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    try {
      const signature = request.headers["stripe-signature"] ?? "";
      const payload = Buffer.concat(chunks);
      events.push(Stripe.webhooks.constructEvent(payload, signature, webhookSecret));
    } catch (problem) {
      problems.push(problem);
    }
    response.writeHead(answers.shift() ?? 200).end();
    for (const { count, resolve } of waiting) if (events.length >= count) resolve();
  });
  server.listen(ports.receiver, "127.0.0.1");
  await once(server, "listening");
  return {
    events,
    problems,
    arrived: (count: number) =>
      new Promise<void>((resolve) => {
        if (events.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** A Stripe of the test's own, empty, whose events go to `startWebhookReceiver`. `await using` ends it. */
export async function startFake(persistTo?: string) {
  const { url, reset, close } = await startStripeFake({
    port: ports.fake,
    secretKey,
    webhook: { url: `${receiverUrl}/hook`, secret: webhookSecret },
    prices,
    ...(persistTo ? { persistTo } : {}),
  });
  async function control<Answer = unknown>(path: string, body?: object) {
    const response = await fetch(`${url}/_local/${path}`, {
      method: body ? "POST" : "GET",
      ...(body
        ? { body: JSON.stringify(body), headers: { "content-type": "application/json" } }
        : {}),
    });
    expect(response.status).toBe(200);
    const answer: Answer = await response.json();
    return answer;
  }
  return { url, reset, control, stripe: client(), [Symbol.asyncDispose]: close };
}

export type Fake = Awaited<ReturnType<typeof startFake>>;

export const returns = {
  success_url: "http://localhost:8787/success?session_id={CHECKOUT_SESSION_ID}",
  cancel_url: "http://localhost:8787/pricing",
};

export function openCheckout(
  { stripe }: Fake,
  given: Partial<Stripe.Checkout.SessionCreateParams> = {},
): Promise<Stripe.Checkout.Session> {
  return stripe.checkout.sessions.create({
    mode: "subscription",
    allowed_payment_method_types: ["card"],
    line_items: [{ price: prices.basic, quantity: 1 }],
    allow_promotion_codes: true,
    ...returns,
    ...given,
  });
}

export function pageOf({ url }: Fake, session: Stripe.Checkout.Session) {
  return `${url}/c/pay/${session.id}`;
}

export function submit(url: string, fields: Record<string, string>) {
  return fetch(url, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });
}

/** A first purchase of Basic, paid on the hosted page. */
export async function subscribe(fake: Fake, card = cards.good) {
  const session = await openCheckout(fake);
  const response = await submit(pageOf(fake, session), { email: "ann@example.com", card });
  expect(response.status).toBe(303);
  const paid = await fake.stripe.checkout.sessions.retrieve(session.id);
  return {
    session: paid,
    subscription: String(paid.subscription),
    customer: String(paid.customer),
  };
}

/** The error that the request must fail with. */
export async function refusal(request: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const outcome = await request.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof Stripe.errors.StripeError) return outcome;
  throw new Error("The request was not refused by Stripe.");
}

/** The types of all events so far, oldest first. */
export async function eventTypes(fake: Fake) {
  const events = await fake.control<Stripe.Event[]>("events");
  return events.map((event) => event.type);
}
