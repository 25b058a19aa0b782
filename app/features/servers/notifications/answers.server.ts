import type { Incident } from "../incidents/incident";
import { recordIn } from "../state/server-table.server";

// What people do about incidents by a link in a message, or at PagerDuty, waits here for the workspace's audit log, which
// this Worker cannot write. The site takes it before it shows the log.

/** A line of the audit log to be: `person` is the account, `who` what others read. `until` of a snooze. */
export type Answer = {
  id: string;
  at: string;
  action: "incident.acknowledged" | "incident.unacknowledged" | "incident.snoozed";
  target: string;
  /** Where it is about one. */
  server?: string;
  person?: string;
  who: string;
  until?: string;
};

/** So many are taken at once; the others follow when the log is shown again. */
const maxAtOnce = 200;

export function saveAnswer(
  sql: SqlStorage,
  incidents: readonly Pick<Incident, "server">[],
  {
    at,
    until,
    ...answer
  }: Pick<Answer, "action" | "who" | "person"> & { at: number; until?: number },
): void {
  const [first, ...others] = incidents;
  if (!first) return;
  const target =
    others.length === 0
      ? { target: recordIn(sql, first.server)?.name ?? "a server", server: first.server }
      : { target: `${incidents.length} servers` };
  const line: Answer = {
    ...{ id: crypto.randomUUID(), at: new Date(at).toISOString(), ...answer, ...target },
    ...(until === undefined ? {} : { until: new Date(until).toISOString() }),
  };
  sql.exec("insert into answers (id, record) values (?, ?)", line.id, JSON.stringify(line));
}

export function answersIn(sql: SqlStorage): Answer[] {
  const rows = sql
    .exec<{ record: string }>("select record from answers limit ?", maxAtOnce)
    .toArray();
  return rows.map(({ record }): Answer => JSON.parse(record));
}

/** The audit log has these. */
export function removeAnswers(sql: SqlStorage, ids: readonly string[]): void {
  for (const id of ids) sql.exec("delete from answers where id = ?", id);
}
