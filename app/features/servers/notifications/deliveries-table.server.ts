import type { Delivery } from "~/features/servers/notifications/delivery";
import { type StoredRow, storedRecords } from "../storage/stored-records.server";

/**
 * Those whose time has come, the oldest first. One that cannot be read is removed: it would stay due, and the alarm
 * would come again at once for ever.
 */
export function dueDeliveries(sql: SqlStorage, now: number): Delivery[] {
  const rows = sql
    .exec<StoredRow>("select id, record from deliveries where due <= ?", now)
    .toArray();
  const deliveries = storedRecords<Delivery>(sql, "deliveries", rows);
  const read = new Set(deliveries.map(({ id }) => id));
  for (const { id } of rows) if (!read.has(id)) removeDelivery(sql, id);
  return deliveries.sort((one, other) => one.from - other.from || one.id.localeCompare(other.id));
}

export function keepDelivery(sql: SqlStorage, delivery: Delivery): void {
  const { id, due } = delivery;
  sql.exec(
    `insert into deliveries (id, due, record) values (?, ?, ?)
     on conflict do update set due = excluded.due, record = excluded.record`,
    ...[id, due, JSON.stringify(delivery)],
  );
}

/** Nothing where it is not there any more. */
export function postponeDelivery(sql: SqlStorage, id: string, due: number): void {
  sql.exec("update deliveries set due = ? where id = ?", due, id);
}

export function removeDelivery(sql: SqlStorage, id: string): void {
  sql.exec("delete from deliveries where id = ?", id);
}

/** When the next one is due; undefined where none is waiting. */
export function nextDelivery(sql: SqlStorage): number | undefined {
  const { due } = sql.exec<{ due: number | null }>("select min(due) as due from deliveries").one();
  return due ?? undefined;
}
