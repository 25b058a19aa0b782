import { redirect } from "react-router";
import { accountFailures } from "~/content/account";
import type { Failure } from "~/features/auth/refusals/auth-errors.server";
import { forgetSessionsOf } from "~/features/auth/session/live-session.server";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import { type ActionContext, accountPage } from "./action-context.server";

/** Disconnects a provider, unless it is the last way to sign in, and ends every other session of the account. */
export async function unlinkIdentity(
  identity: string,
  { principal, context }: ActionContext,
): Promise<Failure | Response> {
  const { sessionId } = principal.assurance;
  const { data, error } = await serviceClient(context.configuration).rpc("remove_identity", {
    person: principal.user.id,
    identity,
    ...(sessionId && { kept_session: sessionId }),
  });
  if (error) {
    log.error("A way to sign in was not removed", describeError(error));
    return { state: "failed", status: 503, message: accountFailures.unavailable };
  }
  if (data === "removed") {
    forgetSessionsOf(principal.user.id);
    return redirect(accountPage("identities", "unlinked"), 303);
  }
  const message = data === "only" ? accountFailures.onlyWayIn : accountFailures.notLinked;
  return { state: "failed", status: 400, message };
}
