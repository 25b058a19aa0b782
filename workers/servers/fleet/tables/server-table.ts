import type { ServerRecord } from "~/features/servers/fleet/server-record";
import { type StoredRow, storedRecords } from "./stored-records";

/** Without those that cannot be read. */
export function recordsIn(sql: SqlStorage): ServerRecord[] {
  return storedRecords(sql, "servers", sql.exec<StoredRow>("select id, record from servers"));
}

export function recordIn(sql: SqlStorage, id: string): ServerRecord | undefined {
  const rows = sql.exec<StoredRow>("select id, record from servers where id = ?", id);
  return storedRecords<ServerRecord>(sql, "servers", rows)[0];
}

export function keepRecord(sql: SqlStorage, record: ServerRecord): void {
  sql.exec("update servers set record = ? where id = ?", JSON.stringify(record), record.id);
}
