import { serviceClient } from "~/platform/database/service-client.server";
import type { Configuration } from "~/platform/env/configuration.server";
import { describeError, log } from "~/platform/log/log.server";

/** The minute of each hour at which this runs. It is not the full hour, when many other jobs begin. */
const minuteOfTheHour = 17;

/**
 * Once an hour, ends sessions at the auth server that are older or longer unused than our limits, even if their
 * tokens are never sent to this site. Never throws. `now` is in milliseconds.
 */
export async function endOldSessions(configuration: Configuration, now: number): Promise<void> {
  if (new Date(now).getUTCMinutes() !== minuteOfTheHour) return;
  const { data, error } = await serviceClient(configuration).rpc("end_old_sessions");
  if (error) log.error("Old sessions were not ended", describeError(error));
  else log.info("Old sessions were ended", { count: data });
}
