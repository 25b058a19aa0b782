import { readMigrations } from "../../../scripts/deploy/database/migration-files.ts";
import type { PostgresClient } from "../../../scripts/lib/postgres-client.ts";
import { pollUntil } from "../site/poll.ts";
import { beginning } from "./later-migrations.ts";
import { startPostgresProgram } from "./postgres-program.ts";

/** What our migrations expect of a Supabase project. */
const project = `
  create role anon; create role authenticated; create role service_role bypassrls;
  create schema auth;
  create table auth.users (
    id uuid primary key, email text, phone text, aud text, role text, email_confirmed_at timestamptz,
    encrypted_password text, raw_user_meta_data jsonb, created_at timestamptz, updated_at timestamptz,
    is_anonymous boolean not null default false
  );
  create table auth.sessions (
    id uuid primary key, user_id uuid not null, created_at timestamptz default now(),
    refreshed_at timestamp, not_after timestamptz
  );
  create table auth.mfa_factors (id uuid primary key, user_id uuid not null, status text);
  create function auth.jwt() returns jsonb language sql stable
    as $$ select coalesce(current_setting('request.jwt.claims', true), '{}')::jsonb $$;
  create function auth.uid() returns uuid language sql stable
    as $$ select (auth.jwt() ->> 'sub')::uuid $$;
  grant usage on schema auth, public to anon, authenticated, service_role;
  alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
  alter default privileges in schema public
    grant execute on functions to anon, authenticated, service_role;
  set check_function_bodies = off;
`;

/**
 * Debian's PostgreSQL with our migrations, as `startPostgresProgram` starts it. With `onlyBeginning` it has those with
 * which they begin alone.
 */
export async function startDebianPostgres({ onlyBeginning = false } = {}) {
  const postgres = await startPostgresProgram();
  const owner = await postgres.connect();
  await owner.query(project);
  const migrations = onlyBeginning ? beginning : readMigrations("supabase/migrations");
  for (const { sql } of migrations) await owner.query(sql);
  return postgres;
}

/** The process of a connection at the server. */
export async function processOf(client: PostgresClient): Promise<number> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid ?? 0;
}

/** Waits until a process waits for a lock of another's. */
export async function untilItWaits(observer: PostgresClient, process: number): Promise<void> {
  await pollUntil(
    async () => {
      const { rows } = await observer.query<{ waits: boolean }>(
        "select cardinality(pg_blocking_pids($1)) > 0 as waits",
        [process],
      );
      return rows[0]?.waits === true;
    },
    (waits) => waits,
    30_000,
  );
}
