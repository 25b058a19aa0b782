import type { WorkspaceFacts } from "~/features/servers/fleet/workspace-facts";
import { keepSetting, settingIn } from "./settings-table";

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
const wokenAt = "woken-at";

/** Notes, at most once a day, that the site still knows the workspace. */
export function noteWoken(sql: SqlStorage, now: number): void {
  if (now - (settingIn<number>(sql, wokenAt) ?? 0) >= dayMs) keepSetting(sql, wokenAt, now);
}

/**
 * Whether the site has not woken the fleet for eight days. Its workspace may be gone without a trace, or the site's cron
 * does not run: nothing is removed for that, and people find out which it is (docs/decisions/0058).
 */
export function isUnwoken(sql: SqlStorage, now: number): boolean {
  const woken = settingIn<number>(sql, wokenAt);
  return woken !== undefined && now - woken >= 8 * dayMs;
}
