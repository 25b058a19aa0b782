import type { Query } from "./many-rows.ts";

/**
 * Keeps a copy of what these tables hold now. `putBack` makes them hold it again, whatever was changed, past triggers
 * and foreign keys; `forget` removes the copy.
 */
export async function keepRows(query: Query, tables: readonly string[]) {
  const columns = await query<{ table: string; names: string }>(
    `select c.relname as table, string_agg(quote_ident(a.attname), ', ') as names
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.oid = any ($1::regclass[]) and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by c.relname`,
    [tables.map((table) => `public.${table}`)],
  );
  const forget = () => query("drop schema if exists kept_rows cascade");
  await forget();
  await query("create schema kept_rows");
  for (const table of tables) {
    await query(`create table kept_rows.${table} as table public.${table}`);
  }
  const rewrite = columns.map(
    ({ table, names }) => `delete from public.${table};
      insert into public.${table} (${names}) overriding system value
      select ${names} from kept_rows.${table};`,
  );
  await query(`create function kept_rows.put_back() returns void language plpgsql as $$
    begin
      perform set_config('session_replication_role', 'replica', true);
      ${rewrite.join("\n")}
    end $$`);
  return { putBack: () => query("select kept_rows.put_back()"), forget };
}
