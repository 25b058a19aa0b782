import Stripe from "stripe";
import { fakes } from "../site/control-fakes.ts";
import { variable } from "../site/variables.ts";

/** The prices that the Worker sells. */
export const prices = {
  basic: variable("STRIPE_PRICE_BASIC"),
  pro: variable("STRIPE_PRICE_PRO"),
  monthly: variable("STRIPE_PRICE_MONTHLY"),
  yearly: variable("STRIPE_PRICE_YEARLY"),
  basicYearly: variable("STRIPE_PRICE_BASIC_YEARLY"),
  proMonthly: variable("STRIPE_PRICE_PRO_MONTHLY"),
};

export const cards = {
  good: "4242 4242 4242 4242",
  failsAtRenewal: "4000 0000 0000 0341",
} as const;

/** What Stripe says, asked directly. */
export const stripe = new Stripe(variable("STRIPE_SECRET_KEY"), {
  host: "127.0.0.1",
  port: fakes().stripe.port,
  protocol: "http",
  maxNetworkRetries: 0,
  telemetry: false,
});

export type ReceivedRequest = {
  method: string;
  path: string;
  params: Record<string, unknown>;
  idempotencyKey: string | null;
  status: number | null;
};

/** Every API request since the last reset, oldest first. */
export async function receivedRequests(): Promise<ReceivedRequest[]> {
  const response = await fetch(`${fakes().stripe.url}/_local/requests`);
  return response.json();
}

/** The requests that could have changed something: a preview of an invoice is a POST, and changes nothing. */
export async function receivedWrites(): Promise<ReceivedRequest[]> {
  return (await receivedRequests()).filter(
    ({ method, path }) => method !== "GET" && path !== "/v1/invoices/create_preview",
  );
}

/** The requests that asked for a new Checkout Session. */
export async function sessionRequests(): Promise<ReceivedRequest[]> {
  return (await receivedWrites()).filter(({ path }) => path === "/v1/checkout/sessions");
}

/** Pays on the hosted page, as a person does, and answers where it leads. */
export async function payOnHostedPage(
  pageUrl: string,
  { email = "", card = cards.good }: { email?: string; card?: string } = {},
): Promise<URL> {
  const response = await fetch(pageUrl, {
    method: "POST",
    body: new URLSearchParams({ email, card }),
    redirect: "manual",
  });
  const location = response.headers.get("location");
  if (!location) throw new Error(`The hosted page did not take the money: ${response.status}`);
  return new URL(location);
}

/** Somebody's first purchase, made at Stripe alone: a customer with a subscription. */
export async function buyAtStripe(
  terms: { email?: string; price?: string; card?: string; userId?: string } = {},
) {
  const { email = "guest@example.com", price = prices.basic, card = cards.good, userId } = terms;
  const account = userId
    ? { customer: (await stripe.customers.create({ email, metadata: { user_id: userId } })).id }
    : {};
  const session = await stripe.checkout.sessions.create({
    mode: "subscription",
    line_items: [{ price, quantity: 1 }],
    success_url: "http://localhost/success",
    ...account,
  });
  await payOnHostedPage(session.url ?? "", { email, card });
  const paid = await stripe.checkout.sessions.retrieve(session.id);
  return {
    session: paid.id,
    customer: String(paid.customer),
    subscription: String(paid.subscription),
  };
}
