import { createServerClient } from "@supabase/ssr";
import { AuthError, isAuthError, type SupabaseClient, type User } from "@supabase/supabase-js";
import { createContext, type MiddlewareFunction } from "react-router";
import * as z from "zod/mini";
import { type AppContext, appContext } from "~/http/app-context";
import { fromBase64url } from "~/http/encodings";
import type { Database } from "~/platform/database/types";
import type { Configuration } from "~/platform/env/configuration.server";
import { log } from "~/platform/log/log.server";
import { noteAccount } from "./last-account.server";
import { livenessOf } from "./live-session.server";
import { provedByMailAt } from "./mail-proof.server";
import { logOutage, watchForOutage } from "./outage.server";
import {
  type Cookie,
  isUnreadable,
  removalsOf,
  sentCookies,
  sessionCookies,
  subjectOf,
} from "./session-cookies.server";
import { notSignedIn, signInUnavailable } from "./sign-in-problems";
import { isIssuer } from "./token-signature.server";

export type Visitor =
  /** `expiresAt`: the end of the access token, in Unix seconds. `email`: what it says; it may have changed since. */
  | {
      state: "signed-in";
      userId: string;
      /** The id of the session at the auth server. */
      sessionId: string;
      email: string | undefined;
      expiresAt: number;
      /** Whether they gave a second factor in this session. A user who has set up none is signed in without. */
      gaveSecondFactor: boolean;
      /** Whether it is the anonymous account of a trial. */
      isTrial: boolean;
    }
  /** The account has a second factor, and it was not given yet: this visitor may not read anything. */
  | {
      state: "second-factor-due";
      userId: string;
      email: string | undefined;
      expiresAt: number;
    }
  /** `refused`: the visitor sent a session that is over or invalid, which was logged. */
  | { state: "signed-out"; refused?: true }
  /** The auth server or its database did not answer, so nobody knows whether the visitor is signed in. */
  | { state: "unavailable" };

export type Session = {
  /** A client that acts as the visitor: row-level security applies. */
  supabase: SupabaseClient<Database>;
  /** Who visits, by the verified token in the cookie and the session in the database. Checked once per request. */
  visitor(): Promise<Visitor>;
  /** Resolves when the auth server has failed for this request; otherwise it never settles. */
  outage: Promise<AuthError>;
  /** When a mailed link or code opened the session with this id; undefined where another proof did. */
  provedByMailAt(sessionId: string | undefined): Promise<Date | undefined>;
};

/** The context of a request, and the session that the request came with. */
export type RequestScope = { context: AppContext; session: Session };

/** Whether the issuer of a token is our auth server. */
type IsOurs = (issuer: unknown) => Promise<boolean>;

export const sessionContext = createContext<Session>();
const isOpen = createContext(false);

/**
 * Opens the visitor's session for the routes below this middleware. Session cookies that a sign-in or refresh
 * sets are added to the response, also to a redirect, and the response is never cached.
 */
export const sessionMiddleware: MiddlewareFunction<Response> = async (
  { request, context },
  next,
) => {
  if (context.get(isOpen)) return next();
  context.set(isOpen, true);
  const app = context.get(appContext);
  const { configuration } = app;
  const cookies = sessionCookies(configuration.SITE_URL.startsWith("https://"));
  const sent = sentCookies(request);
  const { watchedFetch, outage, askServer } = watchForOutage({ request, context: app, sent });
  const supabase = openClient(sent, configuration, cookies, watchedFetch);
  const isOurs = (issuer: unknown) => isIssuer(issuer, app, askServer);
  let visitor: Promise<Visitor> | undefined;
  context.set(sessionContext, {
    supabase,
    visitor: () => {
      visitor ??= identify(supabase, outage, app, isOurs, sent);
      return visitor;
    },
    outage,
    provedByMailAt: (sessionId) => provedByMailAt(app, request, sessionId),
  });

  const response = await next();
  response.headers.set("cache-control", "private, no-store");
  const isOver = (await visitor)?.state === "signed-out" && !cookies.opensSession();
  const removals = isOver && isSignInPage(request) ? removalsOf(request, "session") : [];
  const opened = cookies.opensSession() ? await openedSession(supabase) : undefined;
  for (const line of [...cookies.headers(opened?.is_anonymous === true), ...removals]) {
    response.headers.append("set-cookie", line);
  }
  for (const header of opened ? await noteAccount(app, request, opened) : []) {
    response.headers.append(...header);
  }
  return response;
};

/** The claims of the session that this request has opened. */
async function openedSession({ auth }: SupabaseClient<Database>) {
  const { data } = await auth.getSession();
  const token = data.session?.access_token ?? "";
  const person = subjectOf(token);
  return person ? { iat: 0, ...claimsIn(token), sub: person } : undefined;
}

function isSignInPage(request: Request): boolean {
  return /^\/signin(\.data)?$/.test(new URL(request.url).pathname);
}

function openClient(
  sent: Promise<Cookie[]>,
  configuration: Configuration,
  cookies: ReturnType<typeof sessionCookies>,
  watchedFetch: typeof fetch,
) {
  const secure = configuration.SITE_URL.startsWith("https://");
  return createServerClient<Database>(
    configuration.SUPABASE_URL,
    configuration.SUPABASE_PUBLISHABLE_KEY,
    {
      db: { retry: false },
      global: { fetch: watchedFetch },
      cookieOptions: { httpOnly: true, secure, sameSite: "lax", path: "/" },
      cookies: {
        encode: "tokens-only",
        getAll: () => sent,
        // The client's cache headers are ignored: this middleware sets them on every response.
        setAll: (written) => cookies.write(written),
      },
    },
  );
}

async function identify(
  supabase: SupabaseClient<Database>,
  outage: Promise<AuthError>,
  context: AppContext,
  isOurs: IsOurs,
  sent: Promise<readonly Cookie[]>,
): Promise<Visitor> {
  const { data, error } = await Promise.race([
    claimsOf(supabase, isOurs).catch(unreadable),
    outage.then((error) => ({ data: null, error })),
  ]);
  if (data && isPersons(data.claims)) {
    const { sub: userId, email, exp: expiresAt, aal, session_id: sessionId } = data.claims;
    const liveness = await livenessOf(data.claims, context);
    if (liveness === undefined) return { state: "unavailable" };
    if (liveness !== "ended") {
      const person = { userId, email, expiresAt };
      return liveness === "alive"
        ? {
            ...{ state: "signed-in", ...person, sessionId, gaveSecondFactor: aal === "aal2" },
            isTrial: data.claims.is_anonymous === true,
          }
        : { state: liveness, ...person };
    }
    log.warn("A session was refused", { reason: "ended" });
    return { state: "signed-out", refused: true };
  }
  if (error && isOutage(error)) {
    logOutage(error);
    return { state: "unavailable" };
  }
  if (!data && !error && !(await sent).some(isUnreadable)) return { state: "signed-out" };
  const reason = error ? (error.code ?? error.name) : data ? "not a person's" : "unreadable";
  log.warn("A session was refused", { reason });
  return { state: "signed-out", refused: true };
}

/** The verified claims of a session. With a shared secret the client asks the auth server to verify them. */
async function claimsOf(supabase: SupabaseClient<Database>, isOurs: IsOurs) {
  const answer = await supabase.auth.getClaims();
  if (!answer.data || answer.data.header.alg.startsWith("HS")) return answer;
  if (await isOurs(answer.data.claims.iss)) return answer;
  return { data: null, error: new AuthError("Another issuer", 401, "other_issuer") };
}

/** The auth client throws at a token with an algorithm that it does not know. Such a token is no session. */
function unreadable(thrown: unknown) {
  const error = isAuthError(thrown) ? thrown : new AuthError("Unreadable", 401, "bad_jwt");
  return { data: null, error };
}

/** Whether a token belongs to a person. The same keys also sign tokens for the project's own roles. */
function isPersons({ role, aud }: { role?: string; aud?: string | string[] }): boolean {
  return role === "authenticated" && [aud].flat().includes("authenticated");
}

/** Whether an error of the auth client means that the server is down or slow, and not that it refused. */
export function isOutage(error: { name: string; status?: number | undefined }): boolean {
  return (
    error.name === "AuthRetryableFetchError" ||
    error.name === "AuthUnknownError" ||
    (error.status ?? 0) >= 500
  );
}

/** How, and how recently, the person of the present session proved who they are. */
export type Assurance = {
  /** `due`: the account has a second factor, and it was not given in this session. */
  secondFactor: "none" | "due" | "given";
  /** The last time somebody signed in or gave a factor in this session; undefined when the token does not say. */
  provedAt: Date | undefined;
  /** When a mailed link or code opened this session, as for a password reset. */
  provedByMailAt: Date | undefined;
  /** The session's id at the auth server. */
  sessionId: string | undefined;
};

const recentMs = 15 * 60 * 1_000;

const claims = z.object({
  aal: z.optional(z.string()),
  iat: z.optional(z.number()),
  amr: z.optional(z.array(z.object({ timestamp: z.number() }))),
  session_id: z.optional(z.string()),
  is_anonymous: z.optional(z.boolean()),
});

/**
 * Reads the assurance from the session's access token. It does not check the token's signature, so call it only
 * after the auth server has confirmed the user of this session.
 */
async function assuranceOf(session: Session, user: User): Promise<Assurance> {
  const { data } = await session.supabase.auth.getSession();
  const { aal, amr = [], session_id } = claimsIn(data.session?.access_token ?? "");
  const enrolled = user.factors?.some(({ status }) => status === "verified") ?? false;
  return {
    secondFactor: !enrolled ? "none" : aal === "aal2" ? "given" : "due",
    provedAt: newestOf(amr),
    provedByMailAt: await session.provedByMailAt(session_id),
    sessionId: session_id,
  };
}

function newestOf(proofs: readonly { timestamp: number }[]): Date | undefined {
  const newest = Math.max(0, ...proofs.map(({ timestamp }) => timestamp));
  return newest > 0 ? new Date(newest * 1_000) : undefined;
}

/** Whether somebody signed in or gave their second factor within the last 15 minutes. */
export function isRecent({ provedAt }: Pick<Assurance, "provedAt">): boolean {
  return provedAt !== undefined && Date.now() - provedAt.getTime() < recentMs;
}

function claimsIn(token: string): z.output<typeof claims> {
  try {
    const [, part = ""] = token.split(".");
    return claims.parse(JSON.parse(new TextDecoder().decode(fromBase64url(part))));
  } catch {
    return {};
  }
}

/** The user in whose name a request acts, as the auth server has just confirmed. */
export type Principal = {
  user: { id: string; email: string; emailVerified: boolean };
  /** The same user as the auth server writes them. */
  account: User;
  assurance: Assurance;
};

/** The context and session of a request, and the person in whose name it acts. */
export type PrincipalScope = RequestScope & { principal: Principal };

type Identification =
  | { ok: true; principal: Principal }
  | { ok: false; status: 401 | 503; message: string };

/**
 * Asks the auth server who has this session. The claims of a token do not suffice for a change: the token still
 * verifies after its session was ended.
 */
export async function identifyPrincipal(session: Session): Promise<Identification> {
  const { data, error } = await Promise.race([
    session.supabase.auth.getUser(),
    session.outage.then((error) => ({ data: { user: null }, error })),
  ]);
  if (data.user) {
    const { id, email = "", email_confirmed_at } = data.user;
    const user = { id, email, emailVerified: Boolean(email_confirmed_at) };
    const assurance = await assuranceOf(session, data.user);
    return { ok: true, principal: { user, account: data.user, assurance } };
  }
  if (error && isOutage(error)) {
    logOutage(error);
    return { ok: false, status: 503, message: signInUnavailable };
  }
  // Other refused sessions were logged by `visitor()`.
  if (error && (await session.visitor()).state === "signed-in") {
    log.warn("A session was refused", { reason: error.code ?? error.name });
  }
  return { ok: false, status: 401, message: notSignedIn };
}
