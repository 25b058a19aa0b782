import { saveSetting, settingIn } from "../storage/tables.server";
import type { Passkey } from "./passkey";

/** A passkey with whose it is. `person`: the id of their account. `by`: what people read in its place. */
export type Approver = Passkey & { person: string; by: string };

/** Who approves rollouts of a workspace, as the site last said; a machine takes over nobody from here by itself. */
export type Approvers = {
  /** So many people must approve. */
  needed: number;
  keys: readonly Approver[];
  /** Where the passkeys are used. */
  origin: string;
  /** It grows with each change in the database. A site of before does not say it. */
  revision?: number;
};

const setting = "approvers";
/** Fingerprints of passkeys that were removed, which machines forget when they next report. */
const removedSetting = "approvers-removed";
const maxRemoved = 500;

export const approversIn = (sql: SqlStorage): Approvers | undefined =>
  settingIn<Approvers>(sql, setting);

/** Of two that come in another order than they were read in, the newer one stays. */
export function saveApprovers(sql: SqlStorage, sent: Approvers): void {
  const former = approversIn(sql);
  const [newest, revision] = [former?.revision ?? -1, sent.revision ?? Infinity];
  if (revision < newest) return;
  if (former && revision === newest) save(sql, former, withoutNew(sent, former));
  else save(sql, former, sent);
}

/** Nobody is added at the same revision: who is missing since then was removed here. */
function withoutNew(sent: Approvers, { keys }: Approvers): Approvers {
  const present = new Set(keys.map(({ fingerprint }) => fingerprint));
  return { ...sent, keys: sent.keys.filter(({ fingerprint }) => present.has(fingerprint)) };
}

function save(sql: SqlStorage, former: Approvers | undefined, approvers: Approvers): void {
  if (JSON.stringify(former) === JSON.stringify(approvers)) return;
  saveSetting(sql, setting, approvers);
  const present = new Set(approvers.keys.map(({ fingerprint }) => fingerprint));
  const gone = (former?.keys ?? []).flatMap(({ fingerprint }) =>
    present.has(fingerprint) ? [] : [fingerprint],
  );
  const removed = [...gone, ...removedIn(sql)].filter((each) => !present.has(each));
  saveSetting(sql, removedSetting, removed.slice(0, maxRemoved));
}

export const removedIn = (sql: SqlStorage): readonly string[] =>
  settingIn<string[]>(sql, removedSetting) ?? [];

/** Leaves those who may approve. */
export function removeApprovers(sql: SqlStorage, stays: (person: string) => boolean): void {
  const former = approversIn(sql);
  if (!former) return;
  save(sql, former, { ...former, keys: former.keys.filter(({ person }) => stays(person)) });
}
