import { connectionRemoval } from "~/google/connection/cookie";
import type { Session } from "./session.server";
import { removalsOf } from "./session-cookies.server";
import type { SignOutScope } from "./sign-out-scopes";

/** Signs out in this browser. The cookies go whether or not the auth server answers. */
export async function closeSession(request: Request, session: Session): Promise<Headers> {
  await revokeSessions(session, "local");
  return withoutSession(request);
}

/** The headers that remove a session that is over from the browser, with what was connected in it. */
export function withoutSession(request: Request): Headers {
  const lines = [...removalsOf(request, "begun sign-ins"), connectionRemoval];
  return new Headers(lines.map((line) => ["set-cookie", line]));
}

/** Ends sessions at the auth server. Answers whether it did. */
export async function revokeSessions(session: Session, scope: SignOutScope): Promise<boolean> {
  const { error } = await Promise.race([
    session.supabase.auth.signOut({ scope }),
    session.outage.then((error) => ({ error })),
  ]);
  return !error;
}
