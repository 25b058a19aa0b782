import type { Delivery } from "~/features/servers/deliveries/delivery";

type Row = { record: string };

/** Only this file writes the column. */
const read = ({ record }: Row): Delivery => JSON.parse(record) as Delivery;

/** Those whose time has come, the oldest first. */
export function dueDeliveries(sql: SqlStorage, now: number): Delivery[] {
  return sql
    .exec<Row>("select record from deliveries where due <= ?", now)
    .toArray()
    .map(read)
    .sort((one, other) => one.from - other.from || one.id.localeCompare(other.id));
}

export function keepDelivery(sql: SqlStorage, delivery: Delivery): void {
  const { id, due, channel } = delivery;
  sql.exec(
    `insert into deliveries values (?, ?, ?, ?)
     on conflict do update set due = excluded.due, record = excluded.record`,
    ...[id, due, channel, JSON.stringify(delivery)],
  );
}

export function removeDelivery(sql: SqlStorage, id: string): void {
  sql.exec("delete from deliveries where id = ?", id);
}

/** When the next one is due; undefined where none is waiting. */
export function nextDelivery(sql: SqlStorage): number | undefined {
  const { due } = sql.exec<{ due: number | null }>("select min(due) as due from deliveries").one();
  return due ?? undefined;
}
