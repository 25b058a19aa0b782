import { redirect } from "react-router";
import type { Asker } from "~/access/asker.server";
import { signInFailures, signInLabels } from "~/content/sign-in-labels";
import type { RequestContext } from "~/request/request-context";
import { type Failure, failureOf } from "./auth-errors.server";
import { closeSession } from "./close-session.server";
import { refuseEasyPassword } from "./easy-password.server";
import { mayChoosePassword } from "./password-recovery.server";
import type { Session } from "./session.server";
import { viewAddress } from "./views";

/**
 * Saves the password that somebody chose after a reset link. Whoever else was in is signed out: a
 * reset often follows a theft. A second factor, where there is one, comes first: a mailbox is only one.
 */
export async function saveNewPassword(
  password: string,
  asked: {
    request: Request;
    context: RequestContext;
    session: Session;
    next: string;
    asker(): Asker;
  },
): Promise<Failure | Response> {
  const { request, session, next } = asked;
  const { configuration, requestId } = asked.context;
  const writer = asked.asker();
  if (!writer.ok && writer.status === 503) {
    return { state: "failed", status: 503, message: signInFailures.unavailable };
  }
  const allowed = await mayChoosePassword(configuration, request);
  if (!writer.ok || allowed !== writer.user.id) {
    return { state: "failed", status: 403, message: signInLabels.update_password.needsLink };
  }
  const easy = await refuseEasyPassword(password, writer.user.email);
  if (easy) return easy;
  const { error } = await session.supabase.auth.updateUser({ password });
  if (error) return failureOf(error, requestId, signInFailures.unavailable);
  await session.supabase.auth.signOut({ scope: "others" });
  const headers = await closeSession(asked.context, request, session);
  return redirect(viewAddress("sign_in", next, "password-updated"), { status: 303, headers });
}
