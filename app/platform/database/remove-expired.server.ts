import { serviceClient } from "~/platform/database/service-client.server";
import type { Configuration } from "~/platform/env/configuration.server";
import { describeError, log } from "~/platform/log/log.server";

/** How many rows of each table one request removes, so that a request stays short. */
const rowsAtOnce = 10_000;
const maxRequests = 5;

/**
 * Removes rows that are older than `siteQuotas` allows, and deployments whose deletion can no longer be taken back. If
 * there are many, one run removes a part. Never throws.
 */
export async function removeExpired(configuration: Configuration): Promise<void> {
  const database = serviceClient(configuration);
  const all: Record<string, number> = {};
  for (let request = 0; request < maxRequests; request++) {
    const [expired, deleted] = await Promise.all([
      database.rpc("remove_expired", { at_most: rowsAtOnce }),
      database.rpc("remove_deleted_deployments", { at_most: rowsAtOnce }),
    ]);
    const error = expired.error ?? deleted.error;
    if (error) {
      log.error("Expired rows were not removed", describeError(error));
      break;
    }
    const removed = Object.entries({
      ...(expired.data as Record<string, number> | null),
      deployments: deleted.data ?? 0,
    });
    for (const [table, rows] of removed) all[table] = (all[table] ?? 0) + rows;
    if (removed.every(([, rows]) => rows < rowsAtOnce)) break;
  }
  const once = { at_most: rowsAtOnce };
  const [unsaved, invitations, audit, tests, requests] = await Promise.all([
    database.rpc("remove_expired_unsaved_changes", once),
    database.rpc("remove_expired_invitations", once),
    database.rpc("remove_expired_audit", once),
    database.rpc("remove_expired_connection_tests", once),
    database.rpc("remove_expired_api_requests", once),
  ]);
  const error = unsaved.error ?? invitations.error ?? audit.error ?? tests.error ?? requests.error;
  if (error) log.error("Expired rows were not removed", describeError(error));
  all.unsaved_changes = unsaved.data ?? 0;
  all.invitations = invitations.data ?? 0;
  all.audit_log = audit.data ?? 0;
  all.connection_tests = tests.data ?? 0;
  all.api_requests = requests.data ?? 0;
  if (Object.values(all).some((rows) => rows > 0)) log.info("Expired rows were removed", all);
}
