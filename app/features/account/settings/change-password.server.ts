import { redirect } from "react-router";
import { accountFailures as words } from "~/content/account";
import { type Failure, failureOf } from "~/features/auth/auth-errors.server";
import { type Assurance, isOutage, isRecent } from "~/features/auth/session/session.server";
import type { AppContext } from "~/http/app-context";
import { mailClient } from "~/platform/auth-server/auth-server-fetch.server";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import { refuseEasyPassword } from "../sign-in/easy-password.server";
import { revokeSessions } from "../sign-in/sign-out.server";
import { type ActionContext, accountPage } from "./account-request.server";

type PasswordFailure = Failure & { field?: "current" };

/**
 * The proof that a person must give to set a new password: the present password if they have one, unless they
 * signed in with a mailed link or code within the last 15 minutes, as after a reset. Without a password, a recent
 * sign-in.
 */
export function proofForPassword(
  hasPassword: boolean,
  assurance: Assurance,
): "current" | "nothing" | "sign-in" {
  if (isRecent({ provedAt: assurance.provedByMailAt })) return "nothing";
  if (hasPassword) return "current";
  return isRecent(assurance) ? "nothing" : "sign-in";
}

/** Whether a person has a password; undefined when the database does not say. */
export async function hasPassword(
  { configuration }: AppContext,
  person: string,
): Promise<boolean | undefined> {
  const { data, error } = await serviceClient(configuration).rpc("has_password", { person });
  if (error) log.error("A password was not looked for", describeError(error));
  return data ?? undefined;
}

/**
 * Saves a new password if the person gives the proof that `proofForPassword` names, since somebody else may be at
 * an open browser. All other sessions are signed out.
 */
export async function changePassword(
  { current, password }: { current?: string | undefined; password: string },
  action: ActionContext,
): Promise<PasswordFailure | Response> {
  const { session, principal, context } = action;
  const has = await hasPassword(context, principal.user.id);
  if (has === undefined) return { state: "failed", status: 503, message: words.unavailable };
  const proof = proofForPassword(has, principal.assurance);
  if (proof === "sign-in") return { state: "failed", status: 403, message: words.signInAgain };
  if (proof === "current") {
    const refusal = await refuseUnlessKnown(current, action);
    if (refusal) return refusal;
  }
  const easy = await refuseEasyPassword(password, principal.user.email, context);
  if (easy) return easy;
  const { error } = await session.supabase.auth.updateUser({
    password,
    ...(current ? { current_password: current } : {}),
  });
  switch (error?.code) {
    case undefined:
      break;
    case "current_password_required":
      return atCurrent(400, words.currentMissing);
    case "current_password_invalid":
      return atCurrent(403, words.currentWrong);
    case "reauthentication_needed":
      // The auth server wants a mailed number for a session that is older than a day; a new sign-in avoids that.
      return { state: "failed", status: 403, message: words.newerSession };
  }
  if (error) return failureOf(error, words.unavailable);
  await revokeSessions(context, session, "others");
  return redirect(accountPage("password", "password-saved"), 303);
}

function atCurrent(status: 400 | 403, message: string): PasswordFailure {
  return { state: "failed", status, message, field: "current" };
}

/** Checks the present password at the auth server, by signing in with it in a session that is ended at once. */
async function refuseUnlessKnown(
  current: string | undefined,
  { context, principal }: ActionContext,
): Promise<PasswordFailure | undefined> {
  if (!current) return atCurrent(400, words.currentMissing);
  const trial = mailClient(context);
  const { error } = await trial.auth.signInWithPassword({
    email: principal.user.email,
    password: current,
  });
  if (!error) {
    await trial.auth.signOut({ scope: "local" });
    return;
  }
  if (error.code === "invalid_credentials") return atCurrent(403, words.currentWrong);
  if (isOutage(error) || error.status === 429) {
    return failureOf(error, words.unavailable);
  }
  return atCurrent(403, words.currentWrong);
}
