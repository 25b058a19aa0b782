import Stripe from "stripe";
import type { Configuration } from "~/configuration/configuration.server";

/** How long one try may take; Stripe answers nearly always within one second. */
const tryMs = 4_000;
/** How long Stripe may give no answer, all tries together, before a person is told. */
const patienceMs = 9_000;

/**
 * A Stripe client for one request. Tries three times, idempotently, and gives up when Stripe has given
 * no answer for ten seconds.
 */
export function stripeClient({
  STRIPE_API_URL,
  STRIPE_SECRET_KEY,
}: Pick<Configuration, "STRIPE_API_URL" | "STRIPE_SECRET_KEY">): Stripe {
  const { hostname, port, protocol } = new URL(STRIPE_API_URL);
  return new Stripe(STRIPE_SECRET_KEY, {
    host: hostname,
    port: port || (protocol === "https:" ? "443" : "80"),
    protocol: protocol === "https:" ? "https" : "http",
    httpClient: Stripe.createFetchHttpClient(fetchWhileHope()),
    timeout: tryMs,
    maxNetworkRetries: 2,
    telemetry: false,
  });
}

/** `fetch` for one client: after `patienceMs` without an answer it does not wait any more. */
function fetchWhileHope(): typeof fetch {
  let silentSince: number | undefined;
  return async (input, init) => {
    silentSince ??= Date.now();
    const rest = Math.max(0, silentSince + patienceMs - Date.now());
    const signals = [AbortSignal.timeout(rest), ...(init?.signal ? [init.signal] : [])];
    const response = await fetch(input, {
      ...init,
      // Followed, a redirect would take our key to a host that nobody configured.
      redirect: "manual",
      signal: AbortSignal.any(signals),
    });
    // Read here, so that an answer that breaks off counts as none and is asked for again.
    const body = await response.arrayBuffer();
    if (response.status < 500) silentSince = undefined;
    return new Response(response.status === 204 ? null : body, response);
  };
}

/** Whether Stripe answered that it has nothing with this id. */
export function isMissing(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing"
  );
}
