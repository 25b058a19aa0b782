import type { User } from "@supabase/supabase-js";
import { describeError, log } from "~/observability/log.server";
import { type Assurance, assuranceOf } from "./assurance.server";
import { isOutage, type Session } from "./session.server";
import { notSignedIn, secondFactorDue, signInUnavailable } from "./sign-in-problems";

type Refusal = { ok: false; status: 401 | 503; message: string };
export type Writer =
  | { ok: true; user: { id: string; email: string; emailVerified: boolean }; account: User }
  | Refusal;

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
    log.error("The auth server did not answer", { requestId, ...describeError(error) });
    return { ok: false, status: 503, message: signInUnavailable };
  }
  return { ok: false, status: 401, message: notSignedIn };
}

export type SureWriter =
  | (Extract<Writer, { ok: true }> & { assurance: Assurance })
  | Refusal
  | { ok: false; status: 403; message: string };

/** The same for billing and for the account itself: whoever has a second factor must have given it. */
export async function identifyForSure(session: Session, requestId: string): Promise<SureWriter> {
  const writer = await identifyForWriting(session, requestId);
  if (!writer.ok) return writer;
  const assurance = await assuranceOf(session, writer.account);
  if (assurance.secondFactor !== "due") return { ...writer, assurance };
  return { ok: false, status: 403, message: secondFactorDue };
}

/** The page that asks for the second factor and then leads to `next`. */
export function secondFactorPage(next: string): string {
  return `/dashboard/account/code?${new URLSearchParams({ next })}`;
}
