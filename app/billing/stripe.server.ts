import Stripe from "stripe";
import type { Configuration } from "~/configuration/configuration.server";

/** A Stripe client for one request. Waits at most 10 s and retries twice, idempotently. */
export function stripeClient({
  STRIPE_API_URL,
  STRIPE_SECRET_KEY,
}: Pick<Configuration, "STRIPE_API_URL" | "STRIPE_SECRET_KEY">): Stripe {
  const { hostname, port, protocol } = new URL(STRIPE_API_URL);
  return new Stripe(STRIPE_SECRET_KEY, {
    host: hostname,
    port: port || (protocol === "https:" ? "443" : "80"),
    protocol: protocol === "https:" ? "https" : "http",
    httpClient: Stripe.createFetchHttpClient(),
    timeout: 10_000,
    maxNetworkRetries: 2,
    telemetry: false,
  });
}
