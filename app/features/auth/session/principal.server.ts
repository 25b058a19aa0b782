import type { User } from "@supabase/supabase-js";
import { log } from "~/platform/log/log.server";
import { type Assurance, assuranceOf } from "./assurance.server";
import { logOutage } from "./outage.server";
import { isOutage, type RequestScope, type Session } from "./session.server";
import { notSignedIn, signInUnavailable } from "./sign-in-problems";

/** Who makes a request, as the auth server has just said. */
export type Principal = {
  user: { id: string; email: string; emailVerified: boolean };
  /** The same user as the auth server writes them. */
  account: User;
  assurance: Assurance;
};

/** The context and session of a request, and the person in whose name it acts. */
export type PrincipalScope = RequestScope & { principal: Principal };

export type Identification =
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
