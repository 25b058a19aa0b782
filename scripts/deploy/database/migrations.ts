import { PlainFailure } from "../../lib/terminal.mjs";
import type { Migration } from "./migration-files.ts";

/** A connection. Without parameters, `sql` may hold several statements. */
export interface Database {
  query<Row extends object>(sql: string, parameters?: unknown[]): Promise<{ rows: Row[] }>;
}

/** Any number will do, as long as every deploy of this project takes the same one. */
const deployLock = 5_417_203_311;
const history = "supabase_migrations.schema_migrations";

/** The table of the Supabase CLI, so that `supabase migration list` and `db push` agree with us. */
const createHistory = `
  create schema if not exists supabase_migrations;
  create table if not exists ${history} (version text not null primary key);
  alter table ${history} add column if not exists statements text[];
  alter table ${history} add column if not exists name text;
`;

/** The migrations that the database has not seen, oldest first. Writes nothing. */
export async function pendingMigrations(
  database: Database,
  migrations: readonly Migration[],
): Promise<Migration[]> {
  const { rows } = await database.query<{ known: boolean }>(
    `select to_regclass('${history}') is not null as known`,
  );
  return rows[0]?.known ? notApplied(database, migrations) : [...migrations];
}

/**
 * Applies what is pending, each migration in a transaction of its own, and answers what it applied.
 * Deploys that race take turns: the one that waited finds the work done. Throws one sentence for people.
 */
export async function applyMigrations(
  database: Database,
  migrations: readonly Migration[],
): Promise<Migration[]> {
  const applied: Migration[] = [];
  for (const migration of await pendingMigrations(database, migrations)) {
    if (await applyOne(database, migration, migrations)) applied.push(migration);
  }
  return applied;
}

async function applyOne(
  database: Database,
  migration: Migration,
  all: readonly Migration[],
): Promise<boolean> {
  await database.query("begin");
  try {
    // A lock of the transaction, not of the session: it also holds behind a connection pooler.
    await database.query("reset all");
    await database.query("set local lock_timeout = '120s'");
    await database.query("select pg_advisory_xact_lock($1)", [deployLock]);
    // Waiting for a busy table makes everybody behind us wait too, so give up early.
    await database.query("set local lock_timeout = '10s'");
    await database.query(createHistory);
    const stillPending = await notApplied(database, all);
    const isPending = stillPending.some(({ version }) => version === migration.version);
    if (isPending) {
      await database.query(migration.sql);
      await database.query(
        `insert into ${history} (version, name, statements) values ($1, $2, $3)`,
        [migration.version, migration.name, [migration.sql]],
      );
    }
    await database.query("commit");
    return isPending;
  } catch (error) {
    // The connection may be what failed; then there is nothing left to roll back.
    await database.query("rollback").catch(() => undefined);
    if (error instanceof PlainFailure) throw error;
    throw new PlainFailure(
      `${migration.file} failed and was rolled back: ${reasonOf(error, migration)}`,
    );
  }
}

async function notApplied(
  database: Database,
  migrations: readonly Migration[],
): Promise<Migration[]> {
  const { rows } = await database.query<{ version: string }>(
    `select version from ${history} order by version`,
  );
  const applied = new Set(rows.map(({ version }) => version));
  const newest = rows.at(-1)?.version ?? "";
  const pending = migrations.filter(({ version }) => !applied.has(version));
  const late = pending.filter(({ version }) => version < newest);
  if (late.length > 0) {
    throw new PlainFailure(
      `${files(late)} is older than ${newest}, which the database already has, and was never applied. ` +
        "Give it a newer version, so that every database gets the migrations in one order.",
    );
  }
  const recorded = new Set(migrations.map(({ version }) => version));
  const unknown = [...applied].filter((version) => !recorded.has(version));
  const [beginning] = migrations;
  if (beginning && unknown.some((version) => version < beginning.version)) {
    throw new PlainFailure(
      `The database has migrations from before ${beginning.file}, with which this checkout begins, and cannot be ` +
        "brought forward. Make a new one (docs/decisions/0062-migrations-begin-here.md).",
    );
  }
  if (unknown.length > 0) {
    throw new PlainFailure(
      `The database has migrations that this checkout does not know: ${unknown.join(", ")}. ` +
        "It belongs to a newer or another checkout. To go back to older code use wrangler rollback.",
    );
  }
  return pending;
}

function files(migrations: readonly Migration[]): string {
  return migrations.map(({ file }) => file).join(", ");
}

/** PostgreSQL's own words, with the line they are about. */
function reasonOf(error: unknown, { sql }: Migration): string {
  if (!(error instanceof Error)) return String(error);
  const position = "position" in error ? Number(error.position) : 0;
  if (!(position > 0)) return error.message;
  const line = sql.slice(0, position).split("\n").length;
  return `${error.message} (line ${line})`;
}
