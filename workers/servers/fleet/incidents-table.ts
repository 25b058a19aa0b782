import type { Incident } from "~/features/servers/incidents/incident";
import { reopensWithinMs } from "~/features/servers/incidents/step";

/** For so long incidents are kept after they closed. */
const keptMs = 90 * 86_400_000;
const mostListed = 200;

type Row = { record: string };

const read = ({ record }: Row): Incident => JSON.parse(record) as Incident;

/** The incidents to which something may still happen, the newest of a server last. */
export function livingIncidents(sql: SqlStorage, now: number): Incident[] {
  return sql
    .exec<Row>(
      `select record from incidents
       where closed is null or closed > ? or json_extract(record, '$.untold') > 0 order by opened`,
      now - reopensWithinMs,
    )
    .toArray()
    .map(read);
}

export function incidentIn(sql: SqlStorage, id: string): Incident | undefined {
  const [found] = sql.exec<Row>("select record from incidents where id = ?", id).toArray();
  return found && read(found);
}

/** The newest first, at most 200 of the last 90 days; `server`: of this one alone. */
export function listedIncidents(sql: SqlStorage, server: string | undefined): Incident[] {
  return sql
    .exec<Row>(
      `select record from incidents where ? is null or server = ?
       order by closed is null desc, opened desc limit ${mostListed}`,
      ...[server ?? null, server ?? null],
    )
    .toArray()
    .map(read)
    .sort((one, other) => other.openedAt - one.openedAt);
}

export function keepIncident(sql: SqlStorage, incident: Incident): void {
  const { id, server, openedAt, closedAt } = incident;
  sql.exec(
    `insert into incidents values (?, ?, ?, ?, ?)
     on conflict do update set closed = excluded.closed, record = excluded.record`,
    ...[id, server, openedAt, closedAt ?? null, JSON.stringify(incident)],
  );
}

export function removeOldIncidents(sql: SqlStorage, now: number): void {
  sql.exec("delete from incidents where closed < ?", now - keptMs);
}
