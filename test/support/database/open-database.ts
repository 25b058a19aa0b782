import type { PGlite } from "@electric-sql/pglite";
import { inMemory, openLite } from "../../../fakes/supabase/database/lite.ts";
import type { Query } from "./many-rows.ts";

/**
 * A database of a test's own, in this process, with all migrations or with what `migrate` makes. It is asked as its
 * owner, past row-level security.
 */
export async function openDatabase(migrate?: (database: PGlite) => Promise<unknown>) {
  const { connection, database } = await openLite(inMemory, { auth: { enabled: true } }, migrate);
  const query: Query = async <Row>(sql: string, parameters: unknown[] = []) =>
    (await database.query<Row>(sql, parameters)).rows;
  return { database, query, close: () => connection.close() };
}
