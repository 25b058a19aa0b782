import { createServerClient } from "@supabase/ssr";
import type { AuthError, SupabaseClient } from "@supabase/supabase-js";
import { createContext, type MiddlewareFunction } from "react-router";
import type { Configuration } from "~/configuration/configuration.server";
import type { Database } from "~/database/types";
import { describeError, log } from "~/observability/log.server";
import { requestContext } from "~/request/request-context";
import { watchForOutage } from "./outage.server";
import { withoutProviderTokens } from "./provider-tokens.server";
import { sentCookies } from "./sent-session.server";
import { removalsOf, sessionCookies } from "./session-cookies.server";

export type Visitor =
  /** `expiresAt`: when the access token does, in Unix seconds. */
  | { state: "signed-in"; userId: string; expiresAt: number }
  | { state: "signed-out" }
  /** The auth server did not answer: not the same as signed out. */
  | { state: "unavailable" };

export type Session = {
  /** Speaks as the visitor: row-level security applies. */
  supabase: SupabaseClient<Database>;
  /** Who asks, by the signed claims in their cookie. Asked for once per request. */
  visitor(): Promise<Visitor>;
  /** Resolves when the auth server fails: whoever waits for an answer need not wait any longer. */
  outage: Promise<AuthError>;
};

export const sessionContext = createContext<Session>();

/**
 * Opens the visitor's session for the routes below. Cookies that sign-in or refresh wrote go out with
 * whatever response follows, redirects included, and that response is never cached.
 */
export const sessionMiddleware: MiddlewareFunction<Response> = async (
  { request, context },
  next,
) => {
  const { configuration, requestId, waitUntil } = context.get(requestContext);
  const cookies = sessionCookies(configuration.SITE_URL.startsWith("https://"));
  const { watchedFetch, outage } = watchForOutage(waitUntil);
  const supabase = openClient(request, configuration, cookies, watchedFetch);
  let visitor: Promise<Visitor> | undefined;
  context.set(sessionContext, {
    supabase,
    visitor: () => {
      visitor ??= identify(supabase, outage, requestId);
      return visitor;
    },
    outage,
  });

  const response = await next();
  response.headers.set("cache-control", "private, no-store");
  const isOver = (await visitor)?.state === "signed-out" && !cookies.opensSession();
  const removals = isOver && isSignInPage(request) ? removalsOf(request, "nothing else") : [];
  for (const line of [...cookies.headers(), ...removals]) {
    response.headers.append("set-cookie", line);
  }
  return response;
};

function isSignInPage(request: Request): boolean {
  return /^\/signin(\.data)?$/.test(new URL(request.url).pathname);
}

/** The same for routes whose page is public and cached: a session is opened only to change something. */
export const sessionForActions: MiddlewareFunction<Response> = (args, next) =>
  args.request.method === "GET" ? next() : sessionMiddleware(args, next);

function openClient(
  request: Request,
  configuration: Configuration,
  cookies: ReturnType<typeof sessionCookies>,
  watchedFetch: typeof fetch,
) {
  const secure = configuration.SITE_URL.startsWith("https://");
  const sent = sentCookies(request);
  return createServerClient<Database>(
    configuration.SUPABASE_URL,
    configuration.SUPABASE_PUBLISHABLE_KEY,
    {
      db: { retry: false },
      global: { fetch: withoutProviderTokens(watchedFetch) },
      cookieOptions: { httpOnly: true, secure, sameSite: "lax", path: "/" },
      cookies: {
        encode: "tokens-only",
        getAll: () => sent,
        // Its cache headers are what every response of the middleware says anyway.
        setAll: (written) => cookies.write(written),
      },
    },
  );
}

async function identify(
  supabase: SupabaseClient<Database>,
  outage: Promise<AuthError>,
  requestId: string,
): Promise<Visitor> {
  const { data, error } = await Promise.race([
    supabase.auth.getClaims().catch((error: unknown) => unreadable(error, requestId)),
    outage.then((error) => ({ data: null, error })),
  ]);
  if (data && isPersons(data.claims)) {
    return { state: "signed-in", userId: data.claims.sub, expiresAt: data.claims.exp };
  }
  if (error && isOutage(error)) {
    log.error("The auth server did not answer", { requestId, ...describeError(error) });
    return { state: "unavailable" };
  }
  return { state: "signed-out" };
}

/** The auth client throws at a token that names an algorithm it does not know. That is no session. */
function unreadable(error: unknown, requestId: string) {
  log.warn("A session could not be read", { requestId, ...describeError(error) });
  return { data: null, error: null };
}

/** Keys of a project sign tokens that are no person's, too: those of its public and secret roles. */
function isPersons({ role, aud }: { role?: string; aud?: string | string[] }): boolean {
  return role === "authenticated" && [aud].flat().includes("authenticated");
}

/** Whether an error of the auth client means that its server is down or slow, not that it said no. */
export function isOutage(error: { name: string; status?: number | undefined }): boolean {
  return (
    error.name === "AuthRetryableFetchError" ||
    error.name === "AuthUnknownError" ||
    (error.status ?? 0) >= 500
  );
}
