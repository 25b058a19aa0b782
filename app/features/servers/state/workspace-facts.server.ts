import { saveSetting, settingIn } from "../storage/tables.server";

/**
 * What the servers Worker knows of a workspace. It cannot read the database: the site sends this with each token, and
 * once an hour.
 */
export type WorkspaceFacts = {
  /** Of its address in the console. */
  slug: string;
  name: string;
  /** Their account; of several owners the one of longest standing. A site of before does not say it. */
  owner?: string;
  /** Its deployments, by their ids. A site of before does not say them. */
  deployments?: Readonly<Record<string, DeploymentFacts>>;
  /** How many servers its plan has; none without a plan. */
  servers: number;
  /** When its plan ended, if none runs or is on hold. */
  endedAt?: number;
  /** Whether its team has paused its plan: its servers are not watched. */
  isPaused?: boolean;
  /** Whether what its servers reported is to be deleted: ninety days after the plan's end and two mails. */
  isHistoryOver?: boolean;
};

/** What messages say of a deployment. `provider` and `system` are options of it. */
export type DeploymentFacts = {
  name: string;
  provider?: string | undefined;
  system?: string | undefined;
};

/**
 * Somebody of the workspace, by the id of their account. `address`: the one that they confirmed, if they did. `connects`:
 * whether they may connect servers, which a site of before does not say.
 */
export type Member = { person: string; address: string | null; connects?: boolean | undefined };

/** How old a list of members may be, in milliseconds; what was made since then is left alone. */
export const listAgeMs = 600_000;

const name = "workspace";

/** The last facts from the site about the workspace; undefined where only a site that is one version older made tokens. */
export function factsIn(sql: SqlStorage): WorkspaceFacts | undefined {
  return settingIn(sql, name);
}

/** Written only where they differ from what is there: a row costs money. */
export function saveFacts(sql: SqlStorage, facts: WorkspaceFacts): void {
  if (JSON.stringify(factsIn(sql)) !== JSON.stringify(facts)) saveSetting(sql, name, facts);
}

const dayMs = 86_400_000;
const updatedAt = "updated-at";

/** Notes, at most once a day, that the site still knows the workspace. */
export function recordUpdate(sql: SqlStorage, now: number): void {
  if (now - (settingIn<number>(sql, updatedAt) ?? 0) >= dayMs) saveSetting(sql, updatedAt, now);
}

/**
 * Begins the eight days of `isNotUpdated` for a fleet which the site has not updated yet: without a first time they
 * would never end. The daily removal of old rows calls this, and runs for the first time right after the first token of
 * the workspace was made.
 */
export function beginUpdates(sql: SqlStorage, now: number): void {
  if (settingIn(sql, updatedAt) === undefined) saveSetting(sql, updatedAt, now);
}

/**
 * Whether the site has not updated the fleet for eight days. Its workspace may be gone without a trace, or the site's
 * cron does not run: nothing is removed for that, and people find out which it is (docs/decisions/0058).
 */
export function isNotUpdated(sql: SqlStorage, now: number): boolean {
  const updated = settingIn<number>(sql, updatedAt);
  return updated !== undefined && now - updated >= 8 * dayMs;
}
