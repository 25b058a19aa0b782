import type { Pause, ServerRecord } from "~/features/servers/state/server-record";
import {
  factsIn,
  keepFacts,
  type WorkspaceFacts,
} from "~/features/servers/state/workspace-facts.server";
import { connectedIn, keepRecord, recordsIn } from "./server-table.server";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** For so long after the plan's end reports count as before. */
const countsOnMs = 30 * dayMs;
/** A machine that was told to wait may need so much longer. */
const graceMs = 5 * minuteMs;

/** When a paused server's machine is to call next: so long it takes until it hears of another plan. */
const waits: Readonly<Record<Pause["why"], number>> = {
  "plan-limit": 10 * minuteMs,
  "plan-ended": hourMs,
  "history-over": hourMs,
};

/** The pause that lasts; one with an end is over with the next report. */
export function lastingPause({ paused }: ServerRecord): Pause | undefined {
  return paused?.until === undefined ? paused : undefined;
}

/** A pause that ends is over with a report. */
export function withoutEndedPause(record: ServerRecord): ServerRecord {
  if (record.paused?.until === undefined) return record;
  const { paused: _, ...rest } = record;
  return rest;
}

/** The pause that people see: also one that ends, until the machine can know that. */
export function shownPause({ paused }: ServerRecord, now: number): Pause | undefined {
  return paused && (paused.until === undefined || now < paused.until) ? paused : undefined;
}

/** For how long the machine of a paused server is to wait; undefined where its report counts. */
export function pausedFor(record: ServerRecord, now: number): number | undefined {
  const pause = lastingPause(record);
  if (!pause) return;
  const wait = waits[pause.why];
  if (pause.why !== "plan-ended") return wait;
  const left = (record.reportAt ?? 0) + dayMs - now;
  return left <= graceMs ? undefined : Math.min(wait, left);
}

/**
 * The records that change when a plan has room for so many servers. Where there are more, the one that `picked` names
 * stays, then those that were not paused, and of these the ones that reported last. Thirty days after a plan's end all are paused;
 * until then, and while a plan is on hold, nothing changes but that pauses of an earlier end are over.
 */
export function repaused(
  records: readonly ServerRecord[],
  facts: WorkspaceFacts,
  now: number,
  picked?: string,
): ServerRecord[] {
  const present = records.filter(({ retiredAt }) => retiredAt === undefined);
  return present.flatMap((record) => {
    const changed = withPause(record, pauseOf(record, present, facts, now, picked), now);
    return changed === record ? [] : [changed];
  });
}

type Wanted = Pick<Pause, "why" | "allowed">;

function pauseOf(
  record: ServerRecord,
  present: readonly ServerRecord[],
  facts: WorkspaceFacts,
  now: number,
  picked: string | undefined,
): Wanted | undefined {
  const { servers: allowed, endedAt, isHistoryOver } = facts;
  if (allowed > 0) {
    const staying = [...present].sort(byStaying(picked)).slice(0, allowed);
    return staying.includes(record) ? undefined : { why: "plan-limit", allowed };
  }
  if (isHistoryOver) return { why: "history-over", allowed };
  if (endedAt !== undefined && now >= endedAt + countsOnMs) return { why: "plan-ended", allowed };
  const pause = lastingPause(record);
  return pause?.why === "plan-limit" ? pause : undefined;
}

const byStaying =
  (picked: string | undefined) =>
  (one: ServerRecord, other: ServerRecord): number =>
    Number(other.id === picked) - Number(one.id === picked) ||
    Number(lastingPause(one) !== undefined) - Number(lastingPause(other) !== undefined) ||
    (other.reportAt ?? 0) - (one.reportAt ?? 0) ||
    other.enrolledAt - one.enrolledAt;

function withPause(record: ServerRecord, wanted: Wanted | undefined, now: number): ServerRecord {
  const pause = lastingPause(record);
  if (!wanted) {
    if (!pause) return record;
    return { ...record, paused: { ...pause, until: now + waits[pause.why] + graceMs } };
  }
  if (pause?.why === wanted.why && pause.allowed === wanted.allowed) return record;
  const { why, allowed } = wanted;
  return { ...record, paused: { why, allowed, since: now } };
}

/** Without anything that was reported; its key stays, so that it reports again with a new plan. */
function withoutHistory(record: ServerRecord): ServerRecord {
  const { report: _, reportAt: __, twiceAt: ___, silence: ____, day: _____, ...kept } = record;
  const { fellAt: ______, updatingAt: _______, unlookedAt: ________, ...known } = kept;
  const { busyAt: _________, ...rest } = known;
  return { ...rest, changes: [] };
}

/** Which servers may report, by what the site last told of the workspace's plan. */
export class Pausing {
  readonly #sql: SqlStorage;
  readonly #now: () => number;
  readonly #save: (record: ServerRecord) => void;
  readonly #forgetIncidents: () => void;

  /** `save` keeps a record that changed, and `forgetIncidents` what of them is held in memory. */
  constructor(
    sql: SqlStorage,
    now: () => number,
    {
      save,
      forgetIncidents,
    }: { save: (record: ServerRecord) => void; forgetIncidents: () => void },
  ) {
    this.#sql = sql;
    this.#now = now;
    this.#save = save;
    this.#forgetIncidents = forgetIncidents;
  }

  /** Pauses servers, or lets them report again, and removes the history when its time is over. */
  update(facts: WorkspaceFacts): void {
    const former = factsIn(this.#sql);
    keepFacts(this.#sql, facts);
    this.repause();
    if (facts.isHistoryOver && !former?.isHistoryOver) {
      removeHistory(this.#sql);
      this.#forgetIncidents();
    }
  }

  /** Lets as many servers report as the plan has; `picked` is one of them. */
  repause(picked?: string): void {
    const facts = factsIn(this.#sql);
    if (!facts) return;
    for (const record of repaused(connectedIn(this.#sql), facts, this.#now(), picked)) {
      this.#save(record);
    }
  }
}

/** The tables of what was reported, and of what was made of it. */
const reported = ["quarters", "days", "incidents", "deliveries"];

/** Removes everything that servers reported. The servers themselves stay, and where people are told. */
function removeHistory(sql: SqlStorage): void {
  for (const table of reported) sql.exec(`delete from ${table}`);
  for (const record of recordsIn(sql)) keepRecord(sql, withoutHistory(record));
}
