import { withoutHistory } from "~/features/servers/fleet/pauses";
import { keepRecord, recordsIn } from "./tables/server-table";

/** The tables of what was reported, and of what was made of it. */
const reported = ["quarters", "days", "incidents", "deliveries"];

/** Removes everything that servers reported. The servers themselves stay, and where people are told. */
export function removeHistory(sql: SqlStorage): void {
  for (const table of reported) sql.exec(`delete from ${table}`);
  for (const record of recordsIn(sql)) keepRecord(sql, withoutHistory(record));
}
