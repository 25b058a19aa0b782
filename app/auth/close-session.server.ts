import { parseCookieHeader, serializeCookieHeader } from "@supabase/ssr";
import type { Session } from "./session.server";
import { signedInHint } from "./signed-in-hint";

/**
 * Signs out in this browser and answers the headers that remove every session cookie it sent, in
 * case the auth server did not answer and the client therefore kept them.
 */
export async function closeSession(request: Request, session: Session): Promise<Headers> {
  const headers = new Headers();
  const { error } = await Promise.race([
    session.supabase.auth.signOut({ scope: "local" }),
    session.outage.then((error) => ({ error })),
  ]);
  if (!error) return headers;
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
