import type { Database } from "../../../fakes/supabase/database/database.ts";

/** The entries of an access list in one order: what was granted first makes no difference. */
const sorted = (list: string) =>
  `(select string_agg(entry::text, ' ' order by entry::text) from unnest(${list}) entry)`;

const objects = `
  select 'table ' || c.relname as object, concat_ws(E'\\n',
    c.relkind::text, c.relrowsecurity::text, c.relforcerowsecurity::text, ${sorted("c.relacl")},
    (
      select string_agg(concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull::text,
        a.attidentity::text, a.attgenerated::text, pg_get_expr(d.adbin, d.adrelid), ${sorted("a.attacl")}),
        E'\\n' order by a.attnum)
      from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    ),
    (
      select string_agg(concat_ws(' ', k.conname, k.convalidated::text, pg_get_constraintdef(k.oid)),
        E'\\n' order by k.conname)
      from pg_constraint k where k.conrelid = c.oid and k.contype <> 'n'
    ),
    (
      select string_agg(pg_get_indexdef(i.indexrelid), E'\\n' order by i.indexrelid::regclass::text)
      from pg_index i where i.indrelid = c.oid
    ),
    (
      select string_agg(concat_ws(' ', p.polname, p.polcmd::text, p.polpermissive::text, p.polroles::regrole[]::text,
        pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)), E'\\n' order by p.polname)
      from pg_policy p where p.polrelid = c.oid
    ),
    (
      select string_agg(pg_get_triggerdef(t.oid) || t.tgenabled::text, E'\\n' order by t.tgname)
      from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal
    )
  ) as definition
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
  union all
  select 'function ' || p.oid::regprocedure, concat_ws(E'\\n', pg_get_functiondef(p.oid), ${sorted("p.proacl")})
  from pg_proc p where p.pronamespace = 'public'::regnamespace
  union all
  select 'sequence ' || c.relname, concat_ws(' ', to_jsonb(s) - 'seqrelid', ${sorted("c.relacl")})
  from pg_sequence s join pg_class c on c.oid = s.seqrelid where c.relnamespace = 'public'::regnamespace
  union all
  select concat_ws(' ', 'privileges of new', d.defaclobjtype::text, n.nspname), ${sorted("d.defaclacl")}
  from pg_default_acl d left join pg_namespace n on n.oid = d.defaclnamespace`;

/** One line for each object of the schema, with a hash of everything that it is made of. */
export async function renderFingerprint(database: Database): Promise<string> {
  const { rows } = await database.query<{ line: string }>(
    `select left(md5(definition), 12) || ' ' || object as line from (${objects}) o order by object collate "C"`,
  );
  return `${[
    "# Written by `npm run database:types` from supabase/migrations. Do not edit. A line that changes names what a",
    "# migration changes: a table with its columns, constraints, indexes, policies, triggers and rights, or a function.",
    ...rows.map(({ line }) => line),
  ].join("\n")}\n`;
}
