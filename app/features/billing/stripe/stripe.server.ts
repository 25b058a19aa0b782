import Stripe from "stripe";
import type { Configuration } from "~/platform/env/configuration.server";

/** How long one try may take; Stripe answers nearly always within one second. */
const tryMs = 4_000;
/** How long Stripe may give no answer, all tries together, before a person is told. */
const patienceMs = 9_000;

/** How soon, and then how often at least, a request is sent again whose idempotency key is in use. */
const keyPauseMs = { first: 150, longest: 1_200 };

/**
 * A Stripe client for one request. Tries three times, idempotently, and gives up when Stripe has given
 * no answer for ten seconds. While another request with the same idempotency key is under way it waits.
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
    httpClient: Stripe.createFetchHttpClient(fetchWithDeadline()),
    timeout: tryMs,
    maxNetworkRetries: 2,
    telemetry: false,
  });
}

/** `fetch` for one client: after `patienceMs` without an answer it does not wait any more. */
function fetchWithDeadline(): typeof fetch {
  let silentSince: number | undefined;
  return async (input, init) => {
    silentSince ??= Date.now();
    const rest = Math.max(0, silentSince + patienceMs - Date.now());
    const signals = [AbortSignal.timeout(rest), ...(init?.signal ? [init.signal] : [])];
    const signal = AbortSignal.any(signals);
    for (let pauseMs = keyPauseMs.first; ; pauseMs = Math.min(2 * pauseMs, keyPauseMs.longest)) {
      const response = await fetch(input, {
        ...init,
        // Followed, a redirect would take our key to a host that nobody configured.
        redirect: "manual",
        signal,
      });
      // Read here, so that an answer that breaks off counts as none and is asked for again.
      const body = await response.arrayBuffer();
      // The same request is under way elsewhere, a second click perhaps: its answer is ours too.
      if (response.status === 409) {
        await pause(pauseMs, signal);
        continue;
      }
      if (response.status < 500) silentSince = undefined;
      return new Response(response.status === 204 ? null : body, response);
    }
  };
}

/** Whether Stripe answered that it has nothing with this id. */
export function isMissing(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing"
  );
}

/** Rejects when it is given up. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** What Stripe answers, or undefined where it has nothing with this id. */
export async function unlessMissing<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
