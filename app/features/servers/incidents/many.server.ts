import { watchedOf } from "../state/server-record";
import { connectedIn } from "../state/server-table.server";
import { type Acknowledgement, isPaging } from "./incident";
import type { Monitor } from "./monitor.server";

/** Of a workspace's connected servers these, those of a deployment, or all. */
export type Many = { servers: readonly string[] } | { deployment: string } | "all";

/** Times in milliseconds since 1970; `until` null ends a maintenance window. */
export type ManyChange =
  | { act: "acknowledge"; by: Omit<Acknowledgement, "at"> }
  | { act: "snooze"; until: number }
  | { act: "maintenance"; until: number | null };

/** What pages of these servers is acknowledged or snoozed, or all of them are in maintenance. Answers with how many changed. */
export function changeMany(
  sql: SqlStorage,
  monitor: Monitor,
  { of, change, now }: { of: Many; change: ManyChange; now: number },
): number {
  const listed = of !== "all" && "servers" in of ? new Set(of.servers) : undefined;
  const chosen = connectedIn(sql).filter(
    ({ id, deployment }) =>
      of === "all" ||
      (listed ? listed.has(id) : "deployment" in of && of.deployment === deployment),
  );
  if (change.act === "maintenance") {
    return chosen.filter(({ id }) => monitor.setMaintenance(id, change.until)).length;
  }
  const watched = new Set(chosen.map(watchedOf));
  const incidents = [...watched].flatMap((id) => monitor.living.get(id) ?? []).filter(isPaging);
  return incidents.filter(({ id, acknowledged }) =>
    change.act === "snooze"
      ? monitor.snooze(id, change.until)
      : !acknowledged && monitor.acknowledge(id, { ...change.by, at: now }),
  ).length;
}
