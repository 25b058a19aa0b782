import type { Database } from "../../../fakes/supabase/database/database.ts";

export interface ColumnDescription {
  name: string;
  /** Postgres' own name of the type, such as int8 or _text. */
  type: string;
  nullable: boolean;
  hasDefault: boolean;
  /** Computed by the database: never written. */
  generated: boolean;
}

export interface RelationshipDescription {
  name: string;
  columns: string[];
  referencedTable: string;
  referencedColumns: string[];
  oneToOne: boolean;
}

export interface TableDescription {
  name: string;
  isView: boolean;
  columns: ColumnDescription[];
  relationships: RelationshipDescription[];
}

export interface FunctionDescription {
  name: string;
  arguments: { name: string; type: string; optional: boolean }[];
  returns: string;
  returnsSet: boolean;
}

export interface DatabaseDescription {
  tables: TableDescription[];
  functions: FunctionDescription[];
  enums: { name: string; values: string[] }[];
  composites: { name: string; columns: { name: string; type: string }[] }[];
}

/** Reads what schema public holds, in alphabetical order. */
export async function describeDatabase(database: Database): Promise<DatabaseDescription> {
  const read = async <Row>(sql: string) => (await database.query<Row>(sql)).rows;
  const relations = await read<{ oid: number; name: string; kind: string }>(`
    select c.oid::int as oid, c.relname as name, c.relkind::text as kind
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'c')
    order by c.relname`);
  const columns = await read<ColumnDescription & { oid: number }>(`
    select a.attrelid::int as oid, a.attname as name, t.typname as type,
      not a.attnotnull as nullable,
      (a.atthasdef or a.attidentity <> '') as "hasDefault",
      (a.attgenerated <> '' or a.attidentity = 'a') as generated
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid and c.relnamespace = 'public'::regnamespace
    join pg_type t on t.oid = a.atttypid
    where a.attnum > 0 and not a.attisdropped
    order by a.attname`);
  const relationships = await read<RelationshipDescription & { oid: number }>(`
    select f.conrelid::int as oid, f.conname as name, target.relname as "referencedTable",
      array(select a.attname::text from unnest(f.conkey) with ordinality k(number, place)
        join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.number
        order by k.place) as columns,
      array(select a.attname::text from unnest(f.confkey) with ordinality k(number, place)
        join pg_attribute a on a.attrelid = f.confrelid and a.attnum = k.number
        order by k.place) as "referencedColumns",
      exists (select from pg_constraint u where u.conrelid = f.conrelid
        and u.contype in ('u', 'p') and u.conkey = f.conkey) as "oneToOne"
    from pg_constraint f
    join pg_class target on target.oid = f.confrelid
      and target.relnamespace = 'public'::regnamespace
    where f.contype = 'f' and f.connamespace = 'public'::regnamespace
    order by f.conname`);
  const functions = await read<{
    name: string;
    names: string[];
    types: string[];
    optional: number;
    returns: string;
    returnsSet: boolean;
  }>(`
    select p.proname as name, coalesce(p.proargnames, '{}')::text[] as names,
      array(select t.typname::text from unnest(p.proargtypes) with ordinality k(type, place)
        join pg_type t on t.oid = k.type order by k.place) as types,
      p.pronargdefaults as optional, r.typname as returns, p.proretset as "returnsSet"
    from pg_proc p
    join pg_type r on r.oid = p.prorettype
    where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and r.typname <> 'trigger'
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by p.proname`);
  const enums = await read<{ name: string; values: string[] }>(`
    select t.typname as name, array_agg(e.enumlabel::text order by e.enumsortorder) as values
    from pg_type t join pg_enum e on e.enumtypid = t.oid
    where t.typnamespace = 'public'::regnamespace
    group by t.typname order by t.typname`);

  const columnsOf = (oid: number) => columns.filter((column) => column.oid === oid);
  return {
    tables: relations
      .filter(({ kind }) => kind !== "c")
      .map(({ oid, name, kind }) => ({
        name,
        isView: kind === "v" || kind === "m",
        columns: columnsOf(oid),
        relationships: relationships.filter((each) => each.oid === oid),
      })),
    functions: functions.map(({ name, names, types, optional, returns, returnsSet }) => ({
      name,
      arguments: types.map((type, place) => ({
        name: names[place] ?? "",
        type,
        optional: place >= types.length - optional,
      })),
      returns,
      returnsSet,
    })),
    enums,
    composites: relations
      .filter(({ kind }) => kind === "c")
      .map(({ oid, name }) => ({ name, columns: columnsOf(oid) })),
  };
}
