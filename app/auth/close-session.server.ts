import { parseCookieHeader, serializeCookieHeader } from "@supabase/ssr";
import type { Session } from "./session.server";
import type { SignOutScope } from "./sign-out-scopes";
import { signedInHint } from "./signed-in-hint";

/**
 * Signs out in this browser and answers the headers that remove every session cookie it sent, in
 * case the auth server did not answer and the client therefore kept them.
 */
export async function closeSession(request: Request, session: Session): Promise<Headers> {
  const headers = new Headers();
  if (await revokeSessions(session, "local")) return headers;
  const removed = parseCookieHeader(request.headers.get("cookie") ?? "")
    .filter(({ name }) => /^sb-.*-auth-token/.test(name))
    .map(({ name }) => ({ name, value: "", options: { path: "/", maxAge: 0 } }));
  for (const { name, value, options } of removed) {
    headers.append("set-cookie", serializeCookieHeader(name, value, options));
  }
  const hint = signedInHint(removed, false);
  if (hint) headers.append("set-cookie", hint);
  return headers;
}

/** Ends sessions at the auth server. Answers whether it did. */
export async function revokeSessions(session: Session, scope: SignOutScope): Promise<boolean> {
  const { error } = await Promise.race([
    session.supabase.auth.signOut({ scope }),
    session.outage.then((error) => ({ error })),
  ]);
  return !error;
}
