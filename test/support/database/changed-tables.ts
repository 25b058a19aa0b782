import type { Query } from "./many-rows.ts";

/** What each table holds, as one short text each. */
export type Contents = Readonly<Record<string, string>>;

/** What these tables hold; with `where`, a condition on a row as text, only the rows for which it holds. */
export async function contentsOf(
  query: Query,
  tables: readonly string[],
  where = "true",
): Promise<Contents> {
  const each = tables.map(
    (table) => `select '${table}' as name, (
      select md5(coalesce(string_agg(t.row, '|' order by t.row), ''))
      from (select x::text as row from public.${table} x) t where ${where}
    ) as hash`,
  );
  const rows = await query<{ name: string; hash: string }>(each.join(" union all "));
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
}

/** The tables that hold something else now. */
export const changedTables = (before: Contents, after: Contents): string[] =>
  Object.keys(before)
    .filter((table) => before[table] !== after[table])
    .toSorted();
