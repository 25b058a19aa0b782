import type { ServerRecord } from "~/features/servers/fleet/server-record";

type Row = { record: string };

/** Only this file writes the column. */
const read = ({ record }: Row): ServerRecord => JSON.parse(record) as ServerRecord;

export function recordsIn(sql: SqlStorage): ServerRecord[] {
  return sql.exec<Row>("select record from servers").toArray().map(read);
}

export function recordIn(sql: SqlStorage, id: string): ServerRecord | undefined {
  const [found] = sql.exec<Row>("select record from servers where id = ?", id).toArray();
  return found && read(found);
}

export function keepRecord(sql: SqlStorage, record: ServerRecord): void {
  sql.exec("update servers set record = ? where id = ?", JSON.stringify(record), record.id);
}
