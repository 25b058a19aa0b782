import { forgetSessionsOf } from "~/features/auth/session/live-session.server";
import { subjectOf } from "~/features/auth/session/sent-session.server";
import { isOutage, type Session } from "~/features/auth/session/session.server";
import { removalsOf } from "~/features/auth/session/session-cookies.server";
import type { SignOutScope } from "~/features/auth/session/sign-out-scopes";
import { endConnection } from "~/features/google/connection/google-connection.server";
import type { AppContext } from "~/http/app-context";
import { clearSiteData } from "~/http/clear-site-data";
import { removalOf, type SiteCookie, siteCookies } from "~/http/cookies/site-cookies";

/** Signs out in this browser. The cookies go whether or not the auth server answers. */
export async function closeSession(
  context: AppContext,
  request: Request,
  session: Session,
): Promise<Headers> {
  await revokeSessions(session, "local");
  return withoutSession(context, request);
}

/**
 * The same for somebody who signs in again at once: what they typed and could not save waits for them,
 * and so does Google's permission. Each is sealed with their id, and whoever else comes is given neither.
 */
export async function closeSessionToReturn(request: Request, session: Session): Promise<Headers> {
  await revokeSessions(session, "local");
  return removalHeaders(request, ["last-account", "unsaved-form", "google-connection"]);
}

/**
 * The headers that remove a session that is over from the browser, with all that was kept beside it. The
 * permission for Google's tools ends at Google too, whenever Google answers.
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

/** The same for somebody who leaves: nothing of theirs stays for the next person. */
export function leaveBrowser(headers: Headers): Headers {
  headers.append("set-cookie", removalOf("last-account"));
  headers.append(...clearSiteData);
  return headers;
}

/**
 * Ends sessions at the auth server. Answers whether it did. A token that is not genuine ends none there:
 * it is checked first, which costs no question or is counted, so that invented ones are not passed on.
 */
export async function revokeSessions(session: Session, scope: SignOutScope): Promise<boolean> {
  const { auth } = session.supabase;
  const revoke = async () => {
    if (!(await mayHoldSession(session))) return false;
    const { data } = await auth.getSession();
    const person = subjectOf(data.session?.access_token ?? "");
    const { error } = await auth.signOut({ scope });
    if (person) forgetSessionsOf(person);
    return !error;
  };
  return Promise.race([revoke(), session.outage.then(() => false)]);
}

/**
 * Whether the session that this browser has by now is genuine, or nobody could say. Not who visits: they
 * may have signed in since that was asked.
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
