import { forgetSessionsOf } from "~/features/auth/session/live-session.server";
import { isOutage, type Session } from "~/features/auth/session/session.server";
import { removalsOf, sessionIdOf, subjectOf } from "~/features/auth/session/session-cookies.server";
import { endConnection } from "~/features/google/connection/google-connection.server";
import { closePages, workspacesOf } from "~/features/workspaces/end-access.server";
import { clearSiteData } from "~/http/answers";
import type { AppContext } from "~/http/app-context";
import { removalOf, type SiteCookie, siteCookies } from "~/http/cookies";

/** Signs out in this browser. The headers remove the cookies whether or not the auth server answered. */
export async function closeSession(
  context: AppContext,
  request: Request,
  session: Session,
): Promise<Headers> {
  await revokeSessions(context, session, "local");
  return withoutSession(context, request);
}

/**
 * Like `closeSession`, for somebody who is to sign in again at once. The form that they could not save and the
 * permission for Google's tools stay: each names its owner's id inside an encrypted cookie, so nobody else gets them.
 */
export async function closeSessionToReturn(
  context: AppContext,
  request: Request,
  session: Session,
): Promise<Headers> {
  await revokeSessions(context, session, "local");
  return removalHeaders(request, ["last-account", "unsaved-form", "google-connection"]);
}

/**
 * The headers that remove a session that has ended from the browser, and everything kept beside it. The permission
 * for Google's tools is revoked at Google too, in the background.
 */
export async function withoutSession(context: AppContext, request: Request): Promise<Headers> {
  await endConnection(context, request);
  return removalHeaders(request, ["last-account"]);
}

function removalHeaders(request: Request, staying: readonly SiteCookie[]): Headers {
  const others = (Object.keys(siteCookies) as SiteCookie[]).filter(
    (name) => !staying.includes(name),
  );
  const lines = [...removalsOf(request, "both"), ...others.map(removalOf)];
  return new Headers(lines.map((line) => ["set-cookie", line]));
}

/** Adds the headers for somebody who leaves: nothing of theirs stays in the browser for the next person. */
export function leaveBrowser(headers: Headers): Headers {
  headers.append("set-cookie", removalOf("last-account"));
  headers.append(...clearSiteData);
  return headers;
}

/**
 * Ends sessions at the auth server; returns whether it did. The token is verified first, so that invented tokens are
 * not passed on. Verifying needs no call of the auth server, or one that is counted against a limit. Live pages of
 * the sessions are closed; of those that are to stay, they open again by themselves.
 */
export async function revokeSessions(
  context: AppContext,
  session: Session,
  scope: SignOutScope,
): Promise<boolean> {
  const { auth } = session.supabase;
  const revoke = async () => {
    if (!(await mayHoldSession(session))) return false;
    const { data } = await auth.getSession();
    const token = data.session?.access_token ?? "";
    const [person, id] = [subjectOf(token), sessionIdOf(token)];
    const { error } = await auth.signOut({ scope });
    if (person) {
      forgetSessionsOf(person);
      const which = scope === "local" && id ? { session: id } : { person };
      closePages(context, workspacesOf(context, person), which);
    }
    return !error;
  };
  return Promise.race([revoke(), session.outage.then(() => false)]);
}

/**
 * Whether the present token is genuine, or could not be verified. `visitor()` may be older than a sign-in in the same
 * request, so it is not used here.
 */
async function mayHoldSession({ supabase }: Session): Promise<boolean> {
  try {
    const { data, error } = await supabase.auth.getClaims();
    return data !== null || (error !== null && isOutage(error));
  } catch {
    // The client throws at a token that names an algorithm it does not know.
    return false;
  }
}

/** Which sessions a sign-out ends: that of this browser, all others, or all. */
const signOutScopes = ["local", "others", "global"] as const;

export type SignOutScope = (typeof signOutScopes)[number];

/** The scope that a form names: "local" when it names none; undefined for an unknown one. */
export function signOutScope(named: string | null): SignOutScope | undefined {
  return signOutScopes.find((scope) => scope === (named ?? "local"));
}

/** Messages after a sign-out of other sessions, by the `notice` in the URL. */
const notices = {
  "others-signed-out": {
    kind: "success",
    message: "All other devices are signed out. Pages open there close within a minute.",
  },
  "not-signed-out": {
    kind: "failure",
    message: "The other devices could not be signed out. Nothing was changed. Please try again.",
  },
} as const;

export type SignOutNotice = keyof typeof notices;

/** The message for a `notice` in the URL; undefined for an unknown one. */
export function signOutNotice(key: string | null) {
  return key !== null && Object.hasOwn(notices, key) ? notices[key as SignOutNotice] : undefined;
}
