import type { AppContext } from "~/http/app-context";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";

/**
 * Gives what was described in a trial to the account that signs in after it in the same browser, and ends the trial.
 * "none" where the former session was of no trial.
 */
export async function moveTrial(
  { configuration }: Pick<AppContext, "configuration">,
  trial: string,
  person: string,
): Promise<"moved" | "none" | "failed"> {
  const { data, error } = await serviceClient(configuration).rpc("move_trial", { trial, person });
  if (error) {
    log.error("A trial was not moved to its account", describeError(error));
    return "failed";
  }
  if (data === null) return "none";
  log.info("A trial was moved to an account", { deployments: data });
  return "moved";
}
