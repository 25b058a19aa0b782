import type { Database } from "./database.ts";

const schemas = "('public', 'auth', 'storage')";

/**
 * To truncate all tables costs PostgreSQL new files for each. So only tables that were written to are emptied, and
 * those that have not grown by their rows alone, which leaves their pages to the next ones.
 */
const emptying = `
  do $$
  declare
    written record;
  begin
    -- Neither foreign keys nor triggers see the rows go.
    perform set_config('session_replication_role', 'replica', true);
    for written in
      select c.oid::regclass as name, pg_relation_size(c.oid) > 65536 as has_grown
      from pg_class c
      where c.relkind = 'r' and c.relnamespace::regnamespace::text in ${schemas}
        and c.relname not in ('schema_migrations', 'migrations') and pg_relation_size(c.oid) > 0
    loop
      if written.has_grown then
        execute format('truncate %s cascade', written.name);
      else
        execute format('delete from %s', written.name);
      end if;
    end loop;
    perform setval(s.seqrelid, s.seqstart, false)
    from pg_sequence s join pg_depend d on d.objid = s.seqrelid and d.deptype in ('a', 'i')
    join pg_class c on c.oid = d.refobjid
    where c.relnamespace::regnamespace::text in ${schemas}
      and pg_sequence_last_value(s.seqrelid) is not null;
  end $$`;

/** Empties every table in place, and lets their numbers begin anew; the schema stays. Nobody else may write meanwhile. */
export function emptyTables(database: Database): Promise<unknown> {
  return database.exec(emptying);
}
