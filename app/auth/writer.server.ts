import { describeError, log } from "~/observability/log.server";
import { isOutage, type Session } from "./session.server";
import { notSignedIn, signInUnavailable } from "./sign-in-problems";

export type Writer =
  | { ok: true; user: { id: string; email: string; emailVerified: boolean } }
  | { ok: false; status: 401 | 503; message: string };

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
    return { ok: true, user: { id, email, emailVerified: Boolean(email_confirmed_at) } };
  }
  if (error && isOutage(error)) {
    log.error("The auth server did not answer", { requestId, ...describeError(error) });
    return { ok: false, status: 503, message: signInUnavailable };
  }
  return { ok: false, status: 401, message: notSignedIn };
}
