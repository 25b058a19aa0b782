import type { Caller } from "~/platform/caller";
import type { Configuration } from "~/platform/env/configuration.server";
import { fetchWithTimeout } from "~/platform/fetch-with-timeout.server";
import { respectingMailLimit } from "./used-up-mail.server";

/** Whom a client of Supabase asks for. */
export type AskingFor = { configuration: Configuration; caller: Caller };

/**
 * `fetch` for every client of Supabase: a call of the auth server says which visitor it is made for,
 * since the auth server limits attempts by address and would count the whole site as one. It believes
 * that of the secret key alone. Everything else goes as it is: with the secret key a stranger's read of
 * the database would pass row-level security.
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
    // Redirects are not followed: no other server may be given the secret key.
    return askAuthServer(input, {
      ...init,
      headers: forwarding(headers, asking),
      redirect: "manual",
    });
  };
}

/** Whether an address is one of the auth server's. */
export function isOfAuthServer(
  address: string | URL,
  { configuration }: Pick<AskingFor, "configuration">,
): boolean {
  const { origin, pathname } = new URL(address);
  const server = new URL(`${configuration.SUPABASE_URL}/auth/v1/`);
  return origin === server.origin && pathname.startsWith(server.pathname);
}

/** The headers of one call of the auth server, with what it is to know about the visitor. */
function forwarding(headers: Headers, { configuration, caller }: AskingFor): Headers {
  headers.set("apikey", configuration.SUPABASE_SECRET_KEY);
  // A key is no token; a person's token stays.
  if (headers.get("authorization") === `Bearer ${configuration.SUPABASE_PUBLISHABLE_KEY}`) {
    headers.delete("authorization");
  }
  if (caller.address) headers.set("sb-forwarded-for", caller.address);
  const browser = caller.userAgent && withoutMozilla(caller.userAgent);
  if (browser) headers.set("user-agent", browser);
  return headers;
}

/**
 * A browser's name without the "Mozilla/5.0" with which they all begin: the platform takes it for the sign
 * of a browser, and refuses a secret key that comes from one. What tells browsers apart is in the rest.
 */
function withoutMozilla(userAgent: string): string {
  const rest = userAgent.replace(/mozilla[\s/\d.]*/gi, "").trim();
  return rest && `livekit-deploy ${rest}`;
}
