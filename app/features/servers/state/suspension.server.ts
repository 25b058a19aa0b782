import type { ServerRecord, Suspension } from "~/features/servers/state/server-record";
import {
  factsIn,
  saveFacts,
  type WorkspaceFacts,
} from "~/features/servers/state/workspace-facts.server";
import { saveSetting, settingIn } from "../storage/tables.server";
import { connectedIn, recordsIn, saveRecord } from "./server-table.server";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** For so long after the plan's end reports count as before. */
const countsOnMs = 30 * dayMs;
/** A machine that waits may call so much later than it should. */
const graceMs = 5 * minuteMs;

/** When a paused server's machine is to call next: so long it takes until it hears of another plan. */
const waits: Readonly<Record<Suspension["why"], number>> = {
  "plan-limit": 10 * minuteMs,
  "plan-ended": hourMs,
  "plan-paused": hourMs,
  "history-over": hourMs,
};

/** The suspension that lasts; one with an end is over with the next report. */
export function lastingSuspension({ suspension }: ServerRecord): Suspension | undefined {
  return suspension?.until === undefined ? suspension : undefined;
}

/** A suspension that ends is over with a report. */
export function withoutEndedSuspension(record: ServerRecord): ServerRecord {
  if (record.suspension?.until === undefined) return record;
  const { suspension: _, ...rest } = record;
  return rest;
}

/** The suspension that people see: also one that ends, until the machine can know that. */
export function visibleSuspension(
  { suspension }: ServerRecord,
  now: number,
): Suspension | undefined {
  return suspension && (suspension.until === undefined || now < suspension.until)
    ? suspension
    : undefined;
}

/** For how long the machine of a paused server is to wait; undefined where its report counts. */
export function suspendedForMs(record: ServerRecord, now: number): number | undefined {
  const suspension = lastingSuspension(record);
  if (!suspension) return;
  const wait = waits[suspension.why];
  if (suspension.why !== "plan-ended" && suspension.why !== "plan-paused") return wait;
  const left = (record.reportAt ?? 0) + dayMs - now;
  return left <= graceMs ? undefined : Math.min(wait, left);
}

/**
 * The records that change when a plan has room for so many servers. Where there are more, the one that `picked` names
 * stays, then those that were not paused, and of these the ones that reported last. Thirty days after a plan's end all are paused;
 * until then, and while a plan is on hold, nothing changes but that pauses of an earlier end are over. All are paused
 * while their team has paused its plan.
 */
export function suspensionChanges(
  records: readonly ServerRecord[],
  facts: WorkspaceFacts,
  now: number,
  picked?: string,
): ServerRecord[] {
  const connected = records.filter(({ retiredAt }) => retiredAt === undefined);
  return connected.flatMap((record) => {
    const changed = withSuspension(
      record,
      suspensionReason(record, connected, facts, now, picked),
      now,
    );
    return changed === record ? [] : [changed];
  });
}

type Reason = Pick<Suspension, "why" | "allowed">;

function suspensionReason(
  record: ServerRecord,
  connected: readonly ServerRecord[],
  facts: WorkspaceFacts,
  now: number,
  picked: string | undefined,
): Reason | undefined {
  const { servers: allowed, endedAt, isPaused, isHistoryOver } = facts;
  if (allowed > 0) {
    const staying = [...connected].sort(byStaying(picked)).slice(0, allowed);
    return staying.includes(record) ? undefined : { why: "plan-limit", allowed };
  }
  if (isHistoryOver) return { why: "history-over", allowed };
  if (isPaused) return { why: "plan-paused", allowed };
  if (endedAt !== undefined && now >= endedAt + countsOnMs) return { why: "plan-ended", allowed };
  const suspension = lastingSuspension(record);
  return suspension?.why === "plan-limit" ? suspension : undefined;
}

const byStaying =
  (picked: string | undefined) =>
  (one: ServerRecord, other: ServerRecord): number =>
    Number(other.id === picked) - Number(one.id === picked) ||
    Number(lastingSuspension(one) !== undefined) - Number(lastingSuspension(other) !== undefined) ||
    (other.reportAt ?? 0) - (one.reportAt ?? 0) ||
    other.enrolledAt - one.enrolledAt;

function withSuspension(
  record: ServerRecord,
  reason: Reason | undefined,
  now: number,
): ServerRecord {
  const suspension = lastingSuspension(record);
  if (!reason) {
    if (!suspension) return record;
    return {
      ...record,
      suspension: { ...suspension, until: now + waits[suspension.why] + graceMs },
    };
  }
  if (suspension?.why === reason.why && suspension.allowed === reason.allowed) return record;
  const { why, allowed } = reason;
  return { ...record, suspension: { why, allowed, since: now } };
}

/** What a record has from reports, beside its changes. */
const reportedFields = [
  ...(["report", "reportAt", "duplicateAt", "silence", "day"] as const),
  ...(["fellAt", "updatingAt", "uncheckedAt", "busyAt"] as const),
];

/** Without anything that was reported; its key stays, so that it reports again with a new plan. */
function withoutHistory(record: ServerRecord): ServerRecord {
  const rest = { ...record, changes: [] };
  for (const field of reportedFields) delete rest[field];
  return rest;
}

/** Servers that nobody watches any more, why, and which others are watched on. */
export type PausedServers = { why: Suspension["why"]; names: string[]; watched: string[] };

/** The setting with the id of the server that the team picked to stay. */
const pickedServer = "picked-server";

/** Which servers may report, by the last facts from the site about the workspace's plan. */
export class Suspensions {
  readonly #sql: SqlStorage;
  readonly #now: () => number;
  readonly #save: (record: ServerRecord) => void;
  readonly #forgetIncidents: () => void;
  readonly #announce: (paused: PausedServers) => void;

  /** `save` saves a record that changed; `forgetIncidents` drops those in memory; `announce` tells the team. */
  constructor(
    sql: SqlStorage,
    now: () => number,
    {
      save,
      forgetIncidents,
      announce,
    }: {
      save: (record: ServerRecord) => void;
      forgetIncidents: () => void;
      announce: (paused: PausedServers) => void;
    },
  ) {
    this.#sql = sql;
    this.#now = now;
    this.#save = save;
    this.#forgetIncidents = forgetIncidents;
    this.#announce = announce;
  }

  /** Pauses servers, or lets them report again, and removes the history when its time is over. */
  update(facts: WorkspaceFacts): void {
    const former = factsIn(this.#sql);
    saveFacts(this.#sql, facts);
    const changed = this.apply();
    const paused = changed.filter(({ before, now }) => !before && now);
    const [first] = paused;
    if (first?.now) {
      const watched = connectedIn(this.#sql).filter((record) => !lastingSuspension(record));
      this.#announce({
        why: first.now.why,
        names: paused.map(({ name }) => name),
        watched: watched.map(({ name }) => name),
      });
    }
    if (facts.isHistoryOver && !former?.isHistoryOver) {
      removeHistory(this.#sql);
      this.#forgetIncidents();
    }
  }

  /** The team picks the server that stays where the plan has room for fewer than there are. */
  pick(server: string): void {
    saveSetting(this.#sql, pickedServer, server);
  }

  /** Lets as many servers report as the plan has. Answers whose suspension changed, and how. */
  apply(): { name: string; before: Suspension | undefined; now: Suspension | undefined }[] {
    const facts = factsIn(this.#sql);
    if (!facts) return [];
    const connected = connectedIn(this.#sql);
    const before = new Map(connected.map((record) => [record.id, lastingSuspension(record)]));
    const stays = settingIn<string>(this.#sql, pickedServer);
    const changes = suspensionChanges(connected, facts, this.#now(), stays);
    for (const record of changes) this.#save(record);
    return changes.map((record) => ({
      ...{ name: record.name, before: before.get(record.id), now: lastingSuspension(record) },
    }));
  }
}

/** The tables of what was reported, and of what was made of it. */
const reported = ["quarters", "days", "incidents", "deliveries"];

/** Removes everything that servers reported. The servers and the channels stay. */
function removeHistory(sql: SqlStorage): void {
  for (const table of reported) sql.exec(`delete from ${table}`);
  for (const record of recordsIn(sql)) saveRecord(sql, withoutHistory(record));
}
