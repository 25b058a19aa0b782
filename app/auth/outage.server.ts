import { AuthRetryableFetchError } from "@supabase/supabase-js";
import { impatientFetch } from "~/request/impatient-fetch.server";
import { refreshOnce } from "./refresh-once.server";

/**
 * `fetch` for one visitor's client that knows an outage of the auth server when it sees one, and
 * shares refreshes with other requests. Left alone, the client repeats a refresh for half a minute,
 * and takes a 429 for a refusal that ends the session. `outage` resolves once there is no hope left
 * for this request, and otherwise never.
 */
export function watchForOutage(waitUntil: (work: Promise<unknown>) => void) {
  const { promise: outage, resolve } = Promise.withResolvers<AuthRetryableFetchError>();
  let down: Error | undefined;

  const watchedFetch: typeof fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (!url.pathname.startsWith("/auth/v1/")) return impatientFetch(input, init);
    // The client would go on asking while the visitor already reads that it is in vain.
    if (down) throw down;
    try {
      return await askAuthServer(url, () => impatientFetch(input, init), init);
    } catch (error) {
      down = error instanceof Error ? error : new Error("The auth server did not answer");
      resolve(new AuthRetryableFetchError(down.message, 0));
      throw down;
    }
  };
  return { watchedFetch, outage };

  async function askAuthServer(url: URL, ask: () => Promise<Response>, init?: RequestInit) {
    if (url.searchParams.get("grant_type") === "refresh_token") {
      const answer = await refreshOnce(refreshTokenIn(init?.body), ask, waitUntil);
      if (answer) return new Response(answer.body, answer);
      throw new Error("The auth server did not refresh the session");
    }
    const response = await ask();
    if (url.searchParams.get("grant_type") === "pkce" && response.ok) {
      return withoutProviderTokens(response);
    }
    // "Too many" to the question who this is says nothing about them: they are not signed out.
    const noWordOnWho = response.status === 429 && init?.method === "GET";
    if (response.status < 500 && !noWordOnWho) {
      // Read here, so that an answer that breaks off is an outage like one that never came.
      return response.status === 204
        ? response
        : new Response(await response.arrayBuffer(), response);
    }
    await response.body?.cancel();
    throw new Error(`The auth server answered ${response.status}`);
  }
}

/**
 * A new session without the provider's own tokens. The client would put them into the session's
 * cookies, where nothing reads them, and some are several kilobytes long.
 */
async function withoutProviderTokens(response: Response): Promise<Response> {
  const text = await response.text();
  const isOfProvider = (key: string) =>
    key === "provider_token" || key === "provider_refresh_token";
  try {
    const kept: unknown = JSON.parse(text, (key, value) => (isOfProvider(key) ? undefined : value));
    return Response.json(kept, response);
  } catch {
    return new Response(text, response);
  }
}

function refreshTokenIn(body: unknown): string {
  const { refresh_token }: { refresh_token: unknown } = JSON.parse(String(body));
  return String(refresh_token);
}
