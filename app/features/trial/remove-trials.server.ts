import { serviceClient } from "~/platform/database/service-client.server";
import type { Configuration } from "~/platform/env/configuration.server";
import { describeError, log } from "~/platform/log/log.server";

/** It runs every ten minutes, at a minute when few other jobs begin. */
const everyMinutes = 10;
const atMinute = 7;
const trialsPerRun = 500;

/**
 * Deletes the accounts of trials whose day is over, with all that is theirs. Their fleets delete themselves, and are
 * forgotten with their workspaces besides. Never throws. `now` is in milliseconds.
 */
export async function removeEndedTrials(configuration: Configuration, now: number): Promise<void> {
  if (new Date(now).getUTCMinutes() % everyMinutes !== atMinute) return;
  const { data, error } = await serviceClient(configuration).rpc("remove_ended_trials", {
    at_most: trialsPerRun,
  });
  if (error) log.error("Ended trials were not removed", describeError(error));
  else if (data > 0) log.info("Ended trials were removed", { count: data });
}
