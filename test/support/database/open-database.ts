import type { PGlite } from "@electric-sql/pglite";
import { inject } from "vitest";
import { openPostgresClient } from "../../../scripts/lib/postgres-client.ts";
import type { Query } from "./many-rows.ts";
import { folderAtSocket } from "./offered-postgres.ts";
import { copyOf } from "./templates.ts";

/** Without parameters, `sql` may hold several statements; answers the rows of the last one. */
interface Opened {
  query<Row>(sql: string, parameters?: unknown[]): Promise<{ rows: Row[] }>;
  exec(sql: string): Promise<unknown>;
}

type Migrate = (database: Opened) => Promise<unknown>;

/**
 * A database of a test's own, with all migrations or with what `migrate` makes in that of a new project. It is asked on
 * one connection as its owner, past row-level security.
 */
export async function openDatabase(migrate?: Migrate) {
  const socketName = inject("postgres");
  const { database, close } = socketName
    ? await openCopy(await folderAtSocket(socketName), migrate)
    : await openEmbedded(migrate);
  const query: Query = async <Row>(sql: string, parameters: unknown[] = []) =>
    (await database.query<Row>(sql, parameters)).rows;
  return { database, query, close };
}

async function openCopy(folder: string, migrate?: Migrate) {
  const address = await copyOf(migrate ? "project" : "migrated", folder);
  const client = await openPostgresClient({ ...address, types, connection: { TimeZone: "UTC" } });
  const database: Opened = { query: client.query, exec: client.query };
  await migrate?.(database);
  return { database, close: client.end };
}

/** The same in PGlite, as it is where there is no PostgreSQL. */
export async function openEmbedded(migrate?: Migrate) {
  const { inMemory, openLite } = await import("../../../fakes/supabase/database/lite.ts");
  const { connection, database } = await openLite(
    inMemory,
    { auth: { enabled: true } },
    migrate && ((fresh) => migrate(asOpened(fresh))),
  );
  return { database: asOpened(database), close: () => connection.close() };
}

const asOpened = (database: PGlite): Opened => ({
  async query<Row>(sql: string, parameters?: unknown[]) {
    if (parameters) return database.query<Row>(sql, parameters);
    const results = await database.exec(sql);
    return { rows: (results.at(-1)?.rows ?? []) as Row[] };
  },
  exec: (sql) => database.exec(sql),
});

/** Numbers and times as the embedded database answers them. */
const number = (oid: number) => ({
  to: oid,
  from: [oid],
  serialize: String,
  parse: (text: string) => (String(Number(text)) === text ? Number(text) : text),
});
const text = (oid: number) => ({
  to: oid,
  from: [oid],
  serialize: (value: unknown) => (value instanceof Date ? value.toISOString() : String(value)),
  parse: (value: string) => value,
});
const types = {
  int8: number(20),
  numeric: number(1700),
  date: text(1082),
  time: text(1083),
  timestamp: text(1114),
  timestamptz: text(1184),
};
