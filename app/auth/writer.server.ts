import type { User } from "@supabase/supabase-js";
import { log } from "~/observability/log.server";
import { logOutage } from "./outage.server";
import { isOutage, type Session } from "./session.server";
import { notSignedIn, signInUnavailable } from "./sign-in-problems";

/** Somebody, as our own code and as the auth server writes them. */
export type Person = {
  user: { id: string; email: string; emailVerified: boolean };
  account: User;
};
export type Writer = ({ ok: true } & Person) | { ok: false; status: 401 | 503; message: string };

/**
 * Who asks to change something, by the auth server's own word: a token that was revoked a minute ago
 * still carries good claims.
 */
export async function identifyForWriting(session: Session, requestId: string): Promise<Writer> {
  const { data, error } = await Promise.race([
    session.supabase.auth.getUser(),
    session.outage.then((error) => ({ data: { user: null }, error })),
  ]);
  if (data.user) {
    const { id, email = "", email_confirmed_at } = data.user;
    const user = { id, email, emailVerified: Boolean(email_confirmed_at) };
    return { ok: true, user, account: data.user };
  }
  if (error && isOutage(error)) {
    logOutage(error, requestId);
    return { ok: false, status: 503, message: signInUnavailable };
  }
  // Whoever has no session at all is not refused one.
  if (error && (await session.visitor()).state === "signed-in") {
    log.warn("A session was refused", { requestId, reason: error.code ?? error.name });
  }
  return { ok: false, status: 401, message: notSignedIn };
}
