// Node also runs this file, for `scripts/smoke` and `scripts/stripe-setup`: so imports at run time name the file's
// ending.
import Stripe from "stripe";
import type { Configuration } from "~/platform/env/configuration.server";
import { pause } from "../../../http/pause.ts";

/** The timeout of one try. Stripe answers nearly always within a second. */
const tryMs = 4_000;
/** The timeout of all tries together: the longest time without an answer from Stripe. */
const silenceMs = 9_000;

/**
 * The pauses before a request is sent again while Stripe answers that its idempotency key is in use: the first
 * pause, doubled each time up to the longest.
 */
const keyPauseMs = { first: 150, max: 1_200 };

/**
 * A Stripe client for one request of ours. It tries three times with the same idempotency key, and fails when
 * Stripe has not answered for nine seconds. While another request with the same key is under way, it waits for
 * that one's answer.
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

/** The `fetch` of one client. It aborts when Stripe has not answered for `silenceMs`, all tries together. */
function fetchWithDeadline(): typeof fetch {
  let silentSince: number | undefined;
  return async (input, init) => {
    silentSince ??= Date.now();
    const rest = Math.max(0, silentSince + silenceMs - Date.now());
    const signals = [AbortSignal.timeout(rest), ...(init?.signal ? [init.signal] : [])];
    const signal = AbortSignal.any(signals);
    for (let pauseMs = keyPauseMs.first; ; pauseMs = Math.min(2 * pauseMs, keyPauseMs.max)) {
      const response = await fetch(input, {
        ...init,
        // Following a redirect would send our secret key to a host that nobody configured.
        redirect: "manual",
        signal,
      });
      // The body is read here, so that an answer that breaks off fails this try and is retried.
      const body = await response.arrayBuffer();
      // 409: the same request is under way, after a second click perhaps. Its answer will be ours too.
      if (response.status === 409) {
        // Stripe does not report the end of that other request, so this one is sent again.
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

/** Stripe's answer, or undefined when it has nothing with the id in the request. Other errors are thrown. */
export async function unlessMissing<Answer>(request: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await request;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
