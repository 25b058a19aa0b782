import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { readMigrations } from "../../../scripts/deploy/database/migration-files.ts";
import { pollUntil } from "../site/poll.ts";
import { beginning } from "./later-migrations.ts";

/** What our migrations expect of a Supabase project. */
const project = `
  create role anon; create role authenticated; create role service_role bypassrls;
  create schema auth;
  create table auth.users (
    id uuid primary key, email text, phone text, aud text, role text, email_confirmed_at timestamptz,
    encrypted_password text, raw_user_meta_data jsonb, created_at timestamptz, updated_at timestamptz
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
 * Debian's PostgreSQL with our migrations, as `startEmptyPostgres` starts it. With `onlyBeginning` it has those with
 * which they begin alone.
 */
export async function startDebianPostgres({ onlyBeginning = false } = {}) {
  const postgres = await startEmptyPostgres();
  const owner = await postgres.connect();
  await owner.query(project);
  const migrations = onlyBeginning ? beginning : readMigrations("supabase/migrations");
  for (const { sql } of migrations) await owner.query(sql);
  return postgres;
}

/**
 * Debian's PostgreSQL, in a folder of its own that nothing but a socket there leads to. `await using` ends it. Started
 * by root it runs as "postgres", whom Debian's package makes.
 */
export async function startEmptyPostgres() {
  const bin = dirname(programs().at(-1) ?? "");
  const user = process.getuid?.() === 0 ? idsOf("postgres") : undefined;
  const folder = mkdtempSync(join(tmpdir(), "debian-postgres-"));
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const options = { ...user, cwd: folder };
  const made = spawnSync(
    join(bin, "initdb"),
    ["-D", data, "-U", owner, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
    { ...options, encoding: "utf8" },
  );
  if (made.status !== 0) throw new Error(`initdb: ${made.stdout}${made.stderr}`);
  const settings = ["listen_addresses=", `unix_socket_directories=${folder}`, "fsync=off"];
  const server = spawn(
    join(bin, "postgres"),
    ["-D", data, ...settings.flatMap((setting) => ["-c", setting])],
    { ...options, stdio: "ignore" },
  );
  const clients: pg.Client[] = [];
  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({ host: folder, user: owner, database: owner });
    await client.connect();
    clients.push(client);
    return client;
  }
  await pollUntil(
    () => connect().catch(() => undefined),
    (client) => client !== undefined,
    60_000,
  );
  return {
    /** A connection as the owner of the database. */
    connect,
    /** Where its socket is, for other programs that connect as `owner` to the database of that name. */
    folder,
    owner,
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map((client) => client.end()));
      const ended = once(server, "exit");
      server.kill("SIGINT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const owner = "postgres";

function programs(): string[] {
  const found = globSync("/usr/lib/postgresql/*/bin/initdb").toSorted();
  if (found.length > 0) return found;
  throw new Error(
    "This needs a real PostgreSQL. On Debian and Ubuntu: sudo apt-get install --no-install-recommends postgresql",
  );
}

function idsOf(name: string): { uid: number; gid: number } {
  const id = (flag: string) =>
    Number(spawnSync("id", [flag, name], { encoding: "utf8" }).stdout || Number.NaN);
  return { uid: id("-u"), gid: id("-g") };
}

/** The process of a connection at the server. */
export async function processOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid ?? 0;
}

/** Waits until a process waits for a lock of another's. */
export async function untilItWaits(observer: pg.Client, process: number): Promise<void> {
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
