import { serviceClient } from "~/platform/database/service-client.server";
import type { Configuration } from "~/platform/env/configuration.server";
import { describeError, log } from "~/platform/log/log.server";

/** Rows of each table that one request removes, and how many requests a run makes: it must be short. */
const rowsAtOnce = 10_000;
const maxRequests = 5;

/** Removes what was kept as long as the quotas say. One run does a part of a lot. Never throws. */
export async function removeExpired(configuration: Configuration): Promise<void> {
  const database = serviceClient(configuration);
  const all: Record<string, number> = {};
  for (let request = 0; request < maxRequests; request++) {
    const { data, error } = await database.rpc("remove_expired", { at_most: rowsAtOnce });
    if (error) {
      log.error("Expired rows were not removed", describeError(error));
      break;
    }
    const removed = Object.entries((data ?? {}) as Record<string, number>);
    for (const [table, rows] of removed) all[table] = (all[table] ?? 0) + rows;
    if (removed.every(([, rows]) => rows < rowsAtOnce)) break;
  }
  if (Object.values(all).some((rows) => rows > 0)) log.info("Expired rows were removed", all);
}
