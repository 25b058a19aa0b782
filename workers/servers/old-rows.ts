import { removeOldIncidents } from "~/features/servers/incidents/incident-table.server";
import { removeOldTokens } from "~/features/servers/ingest/enrolment.server";
import { packDays } from "~/features/servers/metrics/metrics-table.server";
import { removeRetired } from "~/features/servers/state/lifecycle.server";
import { beginUpdates, isNotUpdated } from "~/features/servers/state/workspace-facts.server";
import { saveSetting, settingIn } from "~/features/servers/storage/tables.server";

const dayMs = 86_400_000;
const removedAt = "removed-old";

/**
 * Once a day: removes tokens that have ended, disconnected servers, and samples and incidents that are no longer shown.
 * Says in the log where the site tells nothing any more of the `workspace`.
 */
export function removeOld(sql: SqlStorage, now: number, workspace: string): void {
  if (now < removalDue(sql, now)) return;
  removeOldTokens(sql, now);
  packDays(sql, now);
  removeRetired(sql, now);
  beginUpdates(sql, now);
  if (isNotUpdated(sql, now)) {
    const message = "The site has not contacted this workspace's servers for eight days";
    console.error(JSON.stringify({ level: "error", message, workspace }));
  }
  removeOldIncidents(sql, now);
  saveSetting(sql, removedAt, now);
}

/** At once where it was never done. */
export function removalDue(sql: SqlStorage, now: number): number {
  const removed = settingIn<number>(sql, removedAt);
  return removed === undefined ? now : removed + dayMs;
}
