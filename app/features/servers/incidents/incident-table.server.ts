import type { Incident } from "~/features/servers/incidents/incident";
import { reopensWithinMs } from "~/features/servers/incidents/step";
import { type StoredRow, storedRecords } from "../storage/tables.server";
import { fromStored, toStored } from "./stored-incident";

/** Closed incidents are deleted after so long. */
const retentionMs = 90 * 86_400_000;
const maxListed = 200;

/** The incidents to which something may still happen, the newest of a server last. */
export function livingIncidents(sql: SqlStorage, now: number): Incident[] {
  const rows = sql.exec<StoredRow>(
    `select id, record from incidents
     where closed is null or closed > ?
       or case when json_valid(record) then json_extract(record, '$.untold') > 0 end
     order by opened`,
    now - reopensWithinMs,
  );
  return storedIncidents(sql, rows);
}

/** Whether it is one of those. */
export const isLiving = ({ closedAt, pendingCount }: Incident, now: number): boolean =>
  closedAt === undefined || closedAt > now - reopensWithinMs || pendingCount > 0;

export function incidentIn(sql: SqlStorage, id: string): Incident | undefined {
  const rows = sql.exec<StoredRow>("select id, record from incidents where id = ?", id);
  return storedIncidents(sql, rows)[0];
}

/** The newest of a server first, at most 200 of the last 90 days. */
export function listedIncidents(sql: SqlStorage, server: string): Incident[] {
  const rows = sql.exec<StoredRow>(
    `select id, record from incidents where server = ?
     order by closed is null desc, opened desc limit ${maxListed}`,
    server,
  );
  return storedIncidents(sql, rows).sort((one, other) => other.openedAt - one.openedAt);
}

/** Of all servers: those that are open, and then the newest of the last 90 days; at most so many. */
export function newestIncidents(sql: SqlStorage, limit: number): Incident[] {
  const rows = sql.exec<StoredRow>(
    "select id, record from incidents order by closed is null desc, opened desc limit ?",
    limit,
  );
  return storedIncidents(sql, rows);
}

export function saveIncident(sql: SqlStorage, incident: Incident): void {
  const { id, server, openedAt, closedAt } = incident;
  sql.exec(
    `insert into incidents (id, server, opened, closed, record) values (?, ?, ?, ?, ?)
     on conflict do update set closed = excluded.closed, record = excluded.record`,
    ...[id, server, openedAt, closedAt ?? null, JSON.stringify(toStored(incident))],
  );
}

/** The same incident is another server's, or a cluster's, from now on. */
export function moveIncident(sql: SqlStorage, incident: Incident): void {
  saveIncident(sql, incident);
  sql.exec("update incidents set server = ? where id = ?", incident.server, incident.id);
}

export function removeOldIncidents(sql: SqlStorage, now: number): void {
  sql.exec("delete from incidents where closed < ?", now - retentionMs);
}

const storedIncidents = (sql: SqlStorage, rows: Iterable<StoredRow>): Incident[] =>
  storedRecords(sql, "incidents", rows, fromStored);
