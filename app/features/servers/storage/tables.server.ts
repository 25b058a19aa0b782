import * as z from "zod/mini";

// What a fleet keeps. Without row ids a row that is written counts once, its key included. An insert names its columns,
// so that it still fits when a later Worker has added one and is rolled back.
const tables = `
  create table if not exists tokens (
    hash text primary key, deployment text not null, domain text, uses integer not null,
    used integer not null, ends integer not null, revoked integer not null, maker text, made integer, inputs text, name text
  ) without rowid;
  create table if not exists servers (
    id text primary key, number integer not null, token_hash text not null, key_hash text not null,
    retired integer, record text not null
  ) without rowid;
  create table if not exists quarters (
    server integer, quarter integer, minutes blob not null, later blob, primary key (server, quarter)
  ) without rowid;
  create table if not exists days (id integer primary key, quarters blob not null, later blob);
  create table if not exists incidents (
    id text primary key, server text not null, opened integer not null, closed integer, record text not null
  ) without rowid;
  create table if not exists channels (id text primary key, record text not null) without rowid;
  create table if not exists service_channels (id text primary key, record text not null) without rowid;
  create table if not exists deliveries (
    id text primary key, due integer not null, record text not null
  ) without rowid;
  create table if not exists answers (id text primary key, record text not null) without rowid;
  create table if not exists rollouts (
    id text primary key, requested integer not null, ended integer, record text not null
  ) without rowid;
  create table if not exists closed (who text primary key, at integer not null) without rowid;
  create table if not exists settings (name text primary key, value text not null) without rowid;`;

/** Columns that came later, as they are added to tables of before, and what fills them there. */
const added = [
  ["tokens", "domain", "text", ""],
  ["tokens", "maker", "text", ""],
  ["tokens", "made", "integer", ""],
  ["tokens", "inputs", "text", ""],
  ["tokens", "name", "text", ""],
  ["quarters", "later", "blob", ""],
  ["days", "later", "blob", ""],
  ["rollouts", "ended", "integer", ""],
  [
    ...(["servers", "retired", "integer"] as const),
    "update servers set retired = json_extract(record, '$.retiredAt') where json_valid(record)",
  ],
] as const;

/** Of columns that may have come later. A row is open while `ended` is null, also one that a Worker of before wrote. */
const indexes =
  "create index if not exists rollouts_open on rollouts (requested) where ended is null";

/**
 * Columns of the first tables, before anybody's servers were in them. From now on a column stays where it is for one more
 * release after its last reader: the Worker that a rollback brings back still writes it.
 */
const dropped = [
  ["tokens", "version"],
  ["deliveries", "channel"],
] as const;

/**
 * Makes the tables that are missing, and gives those of before the columns of today. It is run whenever an object starts,
 * so that new ones reach the fleets that are there.
 */
export function prepareTables(sql: SqlStorage): void {
  sql.exec(tables);
  for (const [table, column, type, fill] of added) {
    if (hasColumn(sql, table, column)) continue;
    sql.exec(`alter table ${table} add column ${column} ${type}`);
    if (fill) sql.exec(fill);
  }
  sql.exec(indexes);
  for (const [table, column] of dropped) {
    if (hasColumn(sql, table, column)) sql.exec(`alter table ${table} drop column ${column}`);
  }
}

function hasColumn(sql: SqlStorage, table: string, column: string): boolean {
  const found = sql.exec("select 1 from pragma_table_info(?) where name = ?", table, column);
  return found.toArray().length > 0;
}

/** A setting of a fleet by its name; undefined before it was first saved. Only this Worker writes them. */
export function settingIn<Value>(sql: SqlStorage, name: string): Value | undefined {
  const [row] = sql
    .exec<{ value: string }>("select value from settings where name = ?", name)
    .toArray();
  return row && (JSON.parse(row.value) as Value);
}

export function saveSetting(sql: SqlStorage, name: string, value: unknown): void {
  sql.exec(
    "insert into settings (name, value) values (?, ?) on conflict do update set value = excluded.value",
    ...[name, JSON.stringify(value)],
  );
}

export type StoredRow = { id: string; record: string };

const list = z.custom<unknown[]>(Array.isArray);

/** What every record of a table must have, because code reads it without a check. */
const shapes = {
  servers: z.object({
    ...{ id: z.string(), name: z.string(), keyHash: z.string() },
    deployment: z.optional(z.string()),
    ...{ machine: z.string(), instance: z.string(), enrolledAt: z.number() },
    ...{ refused: list, boots: list, changes: list },
    bucket: z.object({ left: z.number(), at: z.number() }),
    report: z.optional(
      z.object({
        ...{ stages: list, findings: list, services: list, certificates: list, addresses: list },
        metrics: z.object({}),
      }),
    ),
  }),
  incidents: z.object({
    ...{ id: z.string(), server: z.string(), openedAt: z.number(), causes: list },
    ...{ told: z.number(), untold: z.number() },
  }),
  channels: z.object({ id: z.string(), kind: z.string(), madeAt: z.number() }),
  deliveries: z.object({
    ...{ id: z.string(), channel: z.string(), items: list },
    ...{ due: z.number(), from: z.number(), tries: z.number() },
  }),
} as const;

/** The unreadable rows that were logged since an object was started. */
const logged = new WeakMap<SqlStorage, Set<string>>();

/**
 * The records of a table's rows, each JSON that this Worker wrote as a `Stored`. One that cannot be read or converted is
 * logged and left out, so that it does not stop what is done for all others.
 */
export function storedRecords<Stored, Converted>(
  sql: SqlStorage,
  table: keyof typeof shapes,
  rows: Iterable<StoredRow>,
  fromStored: (stored: Stored) => Converted,
): Converted[] {
  return [...rows].flatMap(({ id, record }) => {
    try {
      const parsed: unknown = JSON.parse(record);
      if (shapes[table].safeParse(parsed).success) return [fromStored(parsed as Stored)];
    } catch {
      // It is logged like one of another shape.
    }
    logOnce(sql, table, id);
    return [];
  });
}

function logOnce(sql: SqlStorage, table: string, id: string): void {
  const names = logged.get(sql) ?? new Set();
  logged.set(sql, names);
  const name = `${table} ${id}`;
  if (names.has(name)) return;
  names.add(name);
  const message = "A row of a fleet cannot be read and is left out";
  console.error(JSON.stringify({ level: "error", message, table, row: id }));
}
