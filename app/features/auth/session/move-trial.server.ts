import type { AppContext } from "~/http/app-context";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import { livenessOf, type SessionClaims } from "./live-session.server";

/**
 * Gives what was described in a trial to the account whose sign-in began in it, and ends the trial; not before the
 * account's second factor was given. `former` is whose session it was before: "none" where that was no trial, "unknown" where the database does not say, "later" where it is to be tried again with the next tokens of the session.
 */
export async function moveTrial(
  context: AppContext,
  former: string,
  session: SessionClaims,
): Promise<"moved" | "none" | "unknown" | "later"> {
  const database = serviceClient(context.configuration);
  const { data: isTrial, error: unread } = await database.rpc("is_anonymous", { person: former });
  if (unread) {
    log.error("Whether a session was a trial's is not known", describeError(unread));
    return "unknown";
  }
  if (!isTrial) return "none";
  if ((await livenessOf(session, context)) !== "alive") return "later";
  const { data, error } = await database.rpc("move_trial", { trial: former, person: session.sub });
  if (error) {
    log.error("A trial was not moved to its account", describeError(error));
    return "later";
  }
  if (data === null) return "none";
  log.info("A trial was moved to an account", { deployments: data });
  return "moved";
}
