import { keepLastNumber, removeFigures } from "../metrics/metrics-table.server";

const dayMs = 86_400_000;
/** For so long after its key has ended a server is kept, as its figures are. */
const keptMs = 90 * dayMs;
/** And so many of them, those that ended last: each is read wherever all servers are listed. */
const mostKept = 500;

/** Removes disconnected servers that are kept no longer, with their figures and incidents. */
export function removeRetired(sql: SqlStorage, now: number): void {
  const over = sql
    .exec<{ id: string; number: number }>(
      `select id, number from servers where retired < ? union
       select id, number from (
         select id, number from servers where retired is not null
         order by retired desc, number desc limit -1 offset ?
       )`,
      ...[now - keptMs, mostKept],
    )
    .toArray();
  if (over.length === 0) return;
  keepLastNumber(sql);
  for (const { id, number } of over) {
    removeFigures(sql, number, now);
    sql.exec("delete from incidents where server = ?", id);
    sql.exec("delete from servers where id = ?", id);
  }
}
