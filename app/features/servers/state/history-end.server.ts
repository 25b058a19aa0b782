import { withoutHistory } from "~/features/servers/state/pauses";
import { keepRecord, recordsIn } from "./server-table.server";

/** The tables of what was reported, and of what was made of it. */
const reported = ["quarters", "days", "incidents", "deliveries"];

/** Removes everything that servers reported. The servers themselves stay, and where people are told. */
export function removeHistory(sql: SqlStorage): void {
  for (const table of reported) sql.exec(`delete from ${table}`);
  for (const record of recordsIn(sql)) keepRecord(sql, withoutHistory(record));
}
