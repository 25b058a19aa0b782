import { type LiteConfig, loadLite, prepareLite } from "../../../fakes/supabase/database/lite.ts";
import { jsonTypes, type PostgresOptions } from "../../../scripts/lib/postgres-client.ts";

/**
 * Opens the embedded Supabase on a database of a real PostgreSQL, with the tables that `migrate` makes. Each query runs
 * on whichever connection is free; a transaction keeps its own, and ends what a request sets in it.
 */
export async function openLiteOnPostgres(
  address: PostgresOptions,
  config: LiteConfig,
  migrate: Parameters<typeof prepareLite>[3] = async () => undefined,
) {
  const { createPostgresConnection } = await loadLite(() => import("@supabase/lite/postgres"));
  const connection = createPostgresConnection({
    postgresOptions: { ...address, max_lifetime: null, onnotice() {}, types: jsonTypes },
  });
  const pool = connection.driver;
  const database = {
    query: async <Row>(sql: string, parameters: unknown[] = []) => ({
      rows: [...(await pool.unsafe<Row[]>(sql, parameters))],
    }),
    exec: (sql: string) => pool.unsafe(sql).simple(),
  };
  return prepareLite(connection, database, config, migrate);
}
