import type { SessionEvent } from "./session-event";

/** An egress or an ingress, as its newest event has it. */
export type Job = {
  id: string;
  kind: "egress" | "ingress";
  /** The sid of its room; empty where it has none. */
  session: string;
  at: number;
  status: string;
  input: string;
  startedAt?: number;
  endedAt?: number;
  /** LiveKit's number of the error. */
  code?: number;
  hasFailed?: true;
};

/** Undefined where a newer event was taken before: LiveKit keeps the order within one job only while it need not try again. */
export function jobOf(sql: SqlStorage, event: SessionEvent): Job | undefined {
  const { details, at } = event;
  const id = details.egress ?? details.ingress ?? "";
  const [row] = sql.exec<{ record: string }>("select record from jobs where id = ?", id).toArray();
  // Only this Worker writes the column.
  const former = row && (JSON.parse(row.record) as Job);
  if (former && (former.at > at || former.endedAt !== undefined)) return;
  const status = details.status ?? "";
  const hasEnded = event.kind === "egress_ended" || event.kind === "ingress_ended";
  const startedAt = Number(details.started) || former?.startedAt;
  const code = Number(details.code) || former?.code;
  const hasFailed = details.failed || /FAILED|ABORTED|LIMIT_REACHED|ERROR/.test(status);
  return {
    ...{ id, at, status, kind: details.egress ? "egress" : "ingress" },
    session: event.room || (former?.session ?? ""),
    input: details.input ?? former?.input ?? "",
    ...(startedAt ? { startedAt } : {}),
    ...(hasEnded ? { endedAt: Number(details.ended) || at } : {}),
    ...(code ? { code } : {}),
    ...(hasFailed ? { hasFailed: true } : {}),
  };
}

export function saveJob(sql: SqlStorage, job: Job): void {
  sql.exec(
    `insert into jobs (id, session, at, record) values (?, ?, ?, ?)
     on conflict (id) do update set session = excluded.session, at = excluded.at, record = excluded.record`,
    ...[job.id, job.session, job.at, JSON.stringify(job)],
  );
}

/** The jobs of a session, in the order of their ids. */
export function jobsOf(sql: SqlStorage, session: string): Job[] {
  return sql
    .exec<{ record: string }>("select record from jobs where session = ? limit 100", session)
    .toArray()
    .map(({ record }) => JSON.parse(record) as Job);
}
