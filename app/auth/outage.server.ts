import { AuthRetryableFetchError } from "@supabase/supabase-js";
import { impatientFetch } from "~/request/impatient-fetch.server";

/**
 * `fetch` for one visitor's client that knows an outage of the auth server when it sees one. Left
 * alone, the client repeats a refresh for half a minute, and takes a 500 for a refusal that ends
 * the session. `outage` resolves at the first sign and otherwise never.
 */
export function watchForOutage() {
  const { promise: outage, resolve } = Promise.withResolvers<AuthRetryableFetchError>();
  const watchedFetch: typeof fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (!new URL(url).pathname.startsWith("/auth/v1/")) return impatientFetch(input, init);
    try {
      const response = await impatientFetch(input, init);
      if (response.status < 500) return response;
      await response.body?.cancel();
      throw new Error(`The auth server answered ${response.status}`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : "The auth server did not answer";
      resolve(new AuthRetryableFetchError(reason, 0));
      throw error;
    }
  };
  return { watchedFetch, outage };
}
