import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { Caller } from "~/platform/caller";
import type { Configuration } from "~/platform/env/configuration.server";
import { fetchWithTimeout } from "~/platform/fetch-with-timeout.server";
import { respectingMailLimit } from "./used-up-mail.server";

/** The configuration, and the visitor for whom a Supabase client is made. */
export type AskingFor = { configuration: Configuration; caller: Caller };

/**
 * The `fetch` of every Supabase client. It adds the visitor's address to calls of the auth server, which limits
 * attempts by address and would otherwise count the whole site as one visitor. The auth server accepts the address
 * only together with the secret key. Other calls are not changed: with the secret key, a visitor's query of the
 * database would bypass row-level security.
 */
export function authServerFetch(
  asking: AskingFor,
  ask: typeof fetch = fetchWithTimeout,
): typeof fetch {
  const askAuthServer = respectingMailLimit(ask);
  return async (input, init) => {
    const url = input instanceof Request ? input.url : input;
    if (!isOfAuthServer(url, asking)) return ask(input, init);
    const headers = new Headers(input instanceof Request ? input.headers : undefined);
    new Headers(init?.headers).forEach((value, name) => {
      headers.set(name, value);
    });
    // Redirects are not followed, so that no other server gets the secret key.
    return askAuthServer(input, {
      ...init,
      headers: forwarding(headers, asking),
      redirect: "manual",
    });
  };
}

/** Whether a URL belongs to the auth server. */
export function isOfAuthServer(
  address: string | URL,
  { configuration }: Pick<AskingFor, "configuration">,
): boolean {
  const { origin, pathname } = new URL(address);
  const server = new URL(`${configuration.SUPABASE_URL}/auth/v1/`);
  return origin === server.origin && pathname.startsWith(server.pathname);
}

/** The headers of a call of the auth server, with the visitor's address and browser. */
function forwarding(headers: Headers, { configuration, caller }: AskingFor): Headers {
  headers.set("apikey", configuration.SUPABASE_SECRET_KEY);
  // The client sends the publishable key as bearer token when nobody is signed in. A person's token stays.
  if (headers.get("authorization") === `Bearer ${configuration.SUPABASE_PUBLISHABLE_KEY}`) {
    headers.delete("authorization");
  }
  if (caller.address) headers.set("sb-forwarded-for", caller.address);
  const browser = caller.userAgent && withoutMozilla(caller.userAgent);
  if (browser) headers.set("user-agent", browser);
  return headers;
}

/**
 * A `User-Agent` without the "Mozilla/5.0" at its beginning. Supabase refuses a secret key that a browser sends, and
 * recognizes browsers by these words.
 */
function withoutMozilla(userAgent: string): string {
  const rest = userAgent.replace(/mozilla[\s/\d.]*/gi, "").trim();
  return rest && `livekit-deploy ${rest}`;
}

/**
 * A client of the auth server without a session, for mails and codes. It stores nothing: so no cookie reveals
 * whether an account exists, and a mailed link works in any browser.
 */
export function mailClient(asking: AskingFor): SupabaseClient {
  const { configuration } = asking;
  return createClient(configuration.SUPABASE_URL, configuration.SUPABASE_PUBLISHABLE_KEY, {
    auth: {
      persistSession: false,
      autoRefreshToken: false,
      detectSessionInUrl: false,
      flowType: "implicit",
    },
    global: { fetch: authServerFetch(asking) },
  });
}
