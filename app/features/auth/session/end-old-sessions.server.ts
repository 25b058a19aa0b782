import { serviceClient } from "~/platform/database/service-client.server";
import type { Configuration } from "~/platform/env/configuration.server";
import { describeError, log } from "~/platform/log/log.server";

/** Apart from the full hour, at which so much else begins. */
const minuteOfTheHour = 17;

/**
 * Ends sessions that are over their limits at the auth server, once an hour: also those whose tokens
 * are not used at our site. Never throws. `now` is in milliseconds.
 */
export async function endOldSessions(configuration: Configuration, now: number): Promise<void> {
  if (new Date(now).getUTCMinutes() !== minuteOfTheHour) return;
  const { data, error } = await serviceClient(configuration).rpc("end_old_sessions");
  if (error) log.error("Old sessions were not ended", describeError(error));
  else log.info("Old sessions were ended", { count: data });
}
