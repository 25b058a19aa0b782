import { readdirSync } from "node:fs";
import type { PGlite } from "@electric-sql/pglite";
import type { App, Connection, DefaultAppConfig } from "@supabase/lite";
import { type Database, UnusableData } from "./database.ts";
import { emptyDatabase } from "./empty-database.ts";
import { prepareFactorTables } from "./factor-tables.ts";
import { keepPrivileges, prepareRoles } from "./privileges.ts";
import { joinRequestSettings } from "./request-settings.ts";

/** Loads parts of the embedded server, which replaces process.emitWarning by one that fails on Error objects. */
export async function loadLite<Parts>(load: () => Promise<Parts>): Promise<Parts> {
  process.env.LITE_TELEMETRY = "0";
  process.env.DO_NOT_TRACK = "1";
  const { emitWarning } = process;
  const parts = await load();
  process.emitWarning = emitWarning;
  return parts;
}

/** Keeps the exit code of this process, which the embedded server sets when it starts and when it ends. */
async function keepingExitCode<Result>(work: () => Promise<Result>): Promise<Result> {
  const { exitCode } = process;
  try {
    return await work();
  } finally {
    process.exitCode = exitCode;
  }
}

/** A database that ends with the process. */
export const inMemory = "memory://";

export type LiteConfig = Omit<DefaultAppConfig, "connection">;

/** The embedded Supabase on a database. `connection` is what closes it. */
export type OpenedLite<
  C extends Pick<Connection, "close"> = Connection,
  D extends Database = Database,
> = {
  app: App;
  connection: C;
  database: D;
};

/**
 * Opens the embedded Supabase on a database with the auth schema and all of supabase/migrations, or what `migrate`
 * makes instead of them. The working directory must be the project's root.
 */
export function openLite(
  databaseUrl: string,
  config: LiteConfig,
  migrate?: (database: PGlite) => Promise<unknown>,
) {
  return keepingExitCode(() => open(databaseUrl, config, migrate));
}

async function open(
  databaseUrl: string,
  config: LiteConfig,
  migrate?: (database: PGlite) => Promise<unknown>,
) {
  const { createPgliteConnection } = await loadLite(() => import("@supabase/lite/pglite"));
  const connection = await createPgliteConnection({
    url: databaseUrl,
    ...(databaseUrl === inMemory && { pgliteOptions: { loadDataDir: await emptyDatabase() } }),
  });
  const close = connection.close.bind(connection);
  connection.close = () => keepingExitCode(close);
  const database = connection.driver;
  return prepareLite(connection, database, config, async (app) => {
    if (!migrate) await refuseOtherMigrations(database);
    await (migrate ? migrate(database) : applyOurMigrations(app));
    await forgetRowArrays(database);
  });
}

/** Local data outlives a checkout. What other migrations made cannot be brought forward by those of this one. */
async function refuseOtherMigrations(database: Database): Promise<void> {
  const history = "supabase_migrations.schema_migrations";
  const { rows: found } = await database.query("select where to_regclass($1) is not null", [
    history,
  ]);
  if (found.length === 0) return;
  const { rows } = await database.query<{ version: string }>(`select version from ${history}`);
  const files = readdirSync("supabase/migrations");
  const unknown = rows.filter(
    ({ version }) => !files.some((file) => file.startsWith(`${version}_`)),
  );
  if (unknown.length === 0) return;
  throw new UnusableData(
    "The local data was made by migrations that this checkout does not have. Empty it: npm run reset",
  );
}

/** Applies what is pending of supabase/migrations. */
export async function applyOurMigrations(app: App): Promise<void> {
  const { applyPendingMigrations } = await loadLite(() => import("@supabase/lite/cli"));
  await applyPendingMigrations(app);
}

/**
 * Makes a connection's database one of a Supabase project: its roles, its auth schema, and the tables that `migrate` makes.
 * What fails closes the connection.
 */
export async function prepareLite<C extends Connection, D extends Database>(
  connection: C,
  database: D,
  config: LiteConfig,
  migrate: (app: App) => Promise<unknown>,
): Promise<OpenedLite<C, D>> {
  try {
    const { App: Lite } = await loadLite(() => import("@supabase/lite"));
    keepPrivileges(connection);
    joinRequestSettings(connection);
    await prepareRoles(database);
    const app = new Lite({ ...config, connection });
    await app.init();
    await app.ensureSystemSchema();
    await prepareFactorTables(database);
    await migrate(app);
    return { app, connection, database };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/**
 * PGlite copies all its parsers at each query. Most of them are for arrays of tables' rows, which nobody asks for:
 * without them queries are faster.
 */
async function forgetRowArrays(database: PGlite): Promise<void> {
  const { rows } = await database.query<{ typarray: number }>(
    "select typarray from pg_type where typtype = 'c' and typarray > 0",
  );
  for (const { typarray } of rows) delete database.parsers[typarray];
}
