import { redirect } from "react-router";
import { signInFailures, signInLabels } from "~/content/sign-in-labels";
import type { RequestContext } from "~/request/request-context";
import { type Failure, failureOf } from "./auth-errors.server";
import { closeSession } from "./close-session.server";
import { forgetRecovery, mayChoosePassword } from "./password-recovery.server";
import type { Session } from "./session.server";
import { viewAddress } from "./views";
import { identifyForSure, secondFactorPage } from "./writer.server";

/**
 * Saves the password that somebody chose after a reset link. Whoever else was in is signed out: a
 * reset often follows a theft. A second factor, where there is one, comes first: a mailbox is only one.
 */
export async function saveNewPassword(
  password: string,
  asked: { request: Request; context: RequestContext; session: Session; next: string },
): Promise<Failure | Response> {
  const { request, session, next } = asked;
  const { configuration, requestId } = asked.context;
  const writer = await identifyForSure(session, requestId);
  if (!writer.ok && writer.status === 503) {
    return { state: "failed", status: 503, message: signInFailures.unavailable };
  }
  if (!writer.ok && writer.status === 403) {
    return redirect(secondFactorPage(viewAddress("update_password", next)), 303);
  }
  const allowed = await mayChoosePassword(configuration, request);
  if (!writer.ok || allowed !== writer.user.id) {
    return { state: "failed", status: 403, message: signInLabels.update_password.needsLink };
  }
  const { error } = await session.supabase.auth.updateUser({ password });
  if (error) return failureOf(error, requestId, signInFailures.unavailable);
  await session.supabase.auth.signOut({ scope: "others" });
  const headers = await closeSession(request, session);
  headers.append("set-cookie", await forgetRecovery(configuration));
  return redirect(viewAddress("sign_in", next, "password-updated"), { status: 303, headers });
}
