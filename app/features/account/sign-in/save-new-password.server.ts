import { redirect } from "react-router";
import { signInFailures, signInLabels } from "~/content/sign-in-labels";
import { type Failure, failureOf } from "~/features/auth/auth-errors.server";
import type { GuardRefusal } from "~/features/auth/guard.server";
import type { Principal, Session } from "~/features/auth/session/session.server";
import type { AppContext } from "~/http/app-context";
import { refuseEasyPassword } from "./easy-password.server";
import { mayChoosePassword } from "./pending-password.server";
import { closeSessionToReturn, revokeSessions } from "./sign-out.server";
import { viewAddress } from "./views";

const linkMissing: Failure = {
  state: "failed",
  status: 403,
  message: signInLabels.update_password.needsLink,
};

/** The answer to the guard's refusal. A visitor who may not choose a password needs another reset link. */
export function refuseNewPassword({ why, status, message }: GuardRefusal): Failure {
  if (why === "too-often") return { state: "failed", status, message };
  if (why !== "unavailable") return linkMissing;
  return { state: "failed", status, message: signInFailures.unavailable };
}

/**
 * Saves the password that somebody chose after a reset link, and ends all sessions, since a reset often follows a
 * theft. The guard has asked for the second factor before, if there is one: access to the mailbox alone must not be
 * enough.
 */
export async function saveNewPassword(
  password: string,
  attempt: {
    request: Request;
    context: AppContext;
    session: Session;
    next: string;
    principal: Principal | undefined;
  },
): Promise<Failure | Response> {
  const { request, session, next, principal } = attempt;
  const { configuration } = attempt.context;
  const allowed = await mayChoosePassword(configuration, request);
  if (!principal || allowed !== principal.user.id) return linkMissing;
  const easy = await refuseEasyPassword(password, principal.user.email, attempt.context);
  if (easy) return easy;
  const { error } = await session.supabase.auth.updateUser({ password });
  if (error) return failureOf(error, signInFailures.unavailable);
  await revokeSessions(attempt.context, session, "others");
  const headers = await closeSessionToReturn(attempt.context, request, session);
  return redirect(viewAddress("sign_in", next, "password-updated"), { status: 303, headers });
}
