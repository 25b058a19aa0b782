import type { WorkspaceFacts } from "~/features/servers/state/workspace-facts";
import { keepSetting, settingIn } from "../storage/settings-table.server";

const name = "workspace";

/** What the site last told of the workspace; undefined where only a site that is one version older made tokens. */
export function factsIn(sql: SqlStorage): WorkspaceFacts | undefined {
  return settingIn(sql, name);
}

/** Written only where they differ from what is there: a row costs money. */
export function keepFacts(sql: SqlStorage, facts: WorkspaceFacts): void {
  if (JSON.stringify(factsIn(sql)) !== JSON.stringify(facts)) keepSetting(sql, name, facts);
}

const dayMs = 86_400_000;
const updatedAt = "updated-at";

/** Notes, at most once a day, that the site still knows the workspace. */
export function noteUpdate(sql: SqlStorage, now: number): void {
  if (now - (settingIn<number>(sql, updatedAt) ?? 0) >= dayMs) keepSetting(sql, updatedAt, now);
}

/**
 * Begins the eight days of `isNotUpdated` for a fleet of which the site has told nothing yet: without a first time they
 * would never end. The daily removal of old rows calls this, and runs for the first time right after the first token of
 * the workspace was made.
 */
export function beginUpdates(sql: SqlStorage, now: number): void {
  if (settingIn(sql, updatedAt) === undefined) keepSetting(sql, updatedAt, now);
}

/**
 * Whether the site has told the fleet nothing for eight days. Its workspace may be gone without a trace, or the site's
 * cron does not run: nothing is removed for that, and people find out which it is (docs/decisions/0058).
 */
export function isNotUpdated(sql: SqlStorage, now: number): boolean {
  const updated = settingIn<number>(sql, updatedAt);
  return updated !== undefined && now - updated >= 8 * dayMs;
}
