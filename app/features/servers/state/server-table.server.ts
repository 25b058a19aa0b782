import type { ServerRecord, Suspension } from "~/features/servers/state/server-record";
import { type StoredRow, storedRecords } from "../storage/tables.server";

/** Without those that cannot be read. */
export function recordsIn(sql: SqlStorage): ServerRecord[] {
  return records(sql, sql.exec<StoredRow>("select id, record from servers"));
}

/** The records of servers whose keys have not ended, and of `others` by their ids. */
export function connectedIn(sql: SqlStorage, others: readonly string[] = []): ServerRecord[] {
  const rows = sql.exec<StoredRow>(
    `select id, record from servers
     where retired is null or id in (select value from json_each(?))`,
    JSON.stringify(others),
  );
  return records(sql, rows);
}

/** Those that cannot be read among them. */
export function countConnected(sql: SqlStorage): number {
  return sql
    .exec<{ servers: number }>("select count(*) as servers from servers where retired is null")
    .one().servers;
}

/** The records of these servers, by their ids. */
export function recordsOf(sql: SqlStorage, ids: readonly string[]): ServerRecord[] {
  if (ids.length === 0) return [];
  const rows = sql.exec<StoredRow>(
    "select id, record from servers where id in (select value from json_each(?))",
    JSON.stringify(ids),
  );
  return records(sql, rows);
}

export function recordIn(sql: SqlStorage, id: string): ServerRecord | undefined {
  const rows = sql.exec<StoredRow>("select id, record from servers where id = ?", id);
  return records(sql, rows)[0];
}

export function addRecord(
  sql: SqlStorage,
  record: ServerRecord,
  { number, tokenHash }: { number: number; tokenHash: string },
): void {
  const { id, keyHash } = record;
  sql.exec(
    "insert into servers (id, number, token_hash, key_hash, record) values (?, ?, ?, ?, ?)",
    ...[id, number, tokenHash, keyHash, JSON.stringify(toStored(record))],
  );
}

/** `retired` stands beside the record so that nobody reads those that are gone to find the others. */
export function saveRecord(sql: SqlStorage, record: ServerRecord): void {
  sql.exec(
    "update servers set record = ?, retired = ? where id = ?",
    ...[JSON.stringify(toStored(record)), record.retiredAt ?? null, record.id],
  );
}

/** A record as its row has it, under names that the code does not use any more: the Worker of before reads it too. */
export type StoredRecord = Omit<ServerRecord, "duplicateAt" | "uncheckedAt" | "suspension"> & {
  twiceAt?: number;
  unlookedAt?: number;
  paused?: Suspension;
};

export function toStored(record: ServerRecord): StoredRecord {
  const { duplicateAt, uncheckedAt, suspension, ...rest } = record;
  return {
    ...rest,
    ...(duplicateAt === undefined ? {} : { twiceAt: duplicateAt }),
    ...(uncheckedAt === undefined ? {} : { unlookedAt: uncheckedAt }),
    ...(suspension === undefined ? {} : { paused: suspension }),
  };
}

export function fromStored(stored: StoredRecord): ServerRecord {
  const { twiceAt, unlookedAt, paused, ...rest } = stored;
  return {
    ...rest,
    ...(twiceAt === undefined ? {} : { duplicateAt: twiceAt }),
    ...(unlookedAt === undefined ? {} : { uncheckedAt: unlookedAt }),
    ...(paused === undefined ? {} : { suspension: paused }),
  };
}

const records = (sql: SqlStorage, rows: Iterable<StoredRow>): ServerRecord[] =>
  storedRecords(sql, "servers", rows, fromStored);
