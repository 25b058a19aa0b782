import { redirect } from "react-router";
import { isRecent } from "~/auth/assurance.server";
import { type Failure, failureOf } from "~/auth/auth-errors.server";
import { mailClient } from "~/auth/mail-client.server";
import { isOutage } from "~/auth/session.server";
import { accountFailures } from "~/content/account";
import { type Asked, accountPage } from "./asked.server";

/**
 * Saves a new password for whoever knows the old one or signed in within the last 15 minutes: a
 * forgotten open browser is not enough. Everybody else who was in is signed out.
 */
export async function changePassword(
  { current, password }: { current?: string | undefined; password: string },
  asked: Asked,
): Promise<Failure | Response> {
  const { session, writer, context } = asked;
  if (!isRecent(writer.assurance)) {
    const refusal = await refuseUnlessKnown(current, asked);
    if (refusal) return refusal;
  }
  const { error } = await session.supabase.auth.updateUser({
    password,
    ...(current ? { current_password: current } : {}),
  });
  if (error?.code === "reauthentication_needed") {
    return { state: "failed", status: 403, message: accountFailures.signInAgain };
  }
  if (error) return failureOf(error, context.requestId, accountFailures.unavailable);
  await session.supabase.auth.signOut({ scope: "others" });
  return redirect(accountPage("password", "password-saved"), 303);
}

/** Asks the auth server by signing in with it, in a session of its own that ends at once. */
async function refuseUnlessKnown(
  current: string | undefined,
  { context, writer }: Asked,
): Promise<Failure | undefined> {
  if (!current) return { state: "failed", status: 400, message: accountFailures.currentMissing };
  const trial = mailClient(context.configuration);
  const { error } = await trial.auth.signInWithPassword({
    email: writer.user.email,
    password: current,
  });
  if (!error) {
    await trial.auth.signOut({ scope: "local" });
    return;
  }
  if (isOutage(error) || error.status === 429) {
    return failureOf(error, context.requestId, accountFailures.unavailable);
  }
  return { state: "failed", status: 403, message: accountFailures.currentWrong };
}
