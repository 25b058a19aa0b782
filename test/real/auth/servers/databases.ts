import { openPostgresClient } from "../../../../scripts/lib/postgres-client.ts";
import { supabaseSchemas } from "./supabase-roles.ts";

/** Who may log in: the platform's superuser, the project's owner, and what its services log in as. */
export type Login = "supabase_admin" | "postgres" | "supabase_auth_admin" | "authenticator";

/** The databases of the PostgreSQL that listens at `port` on 127.0.0.1. */
export function databasesAt(port: number) {
  const url = (login: Login, database: string) =>
    `postgresql://${login}@127.0.0.1:${port}/${database}`;

  async function run<Row extends object>(
    database: string,
    sql: string,
    parameters?: unknown[],
  ): Promise<Row[]> {
    const client = await openPostgresClient({
      host: "127.0.0.1",
      port,
      user: "supabase_admin",
      database,
    });
    try {
      return (await client.query<Row>(sql, parameters)).rows;
    } finally {
      await client.end();
    }
  }

  return {
    url,
    /** Runs SQL as the superuser, past row-level security. */
    run,
    /** A database as a new project has it. */
    async createProject(name: string): Promise<void> {
      await run("postgres", `create database ${name} owner postgres`);
      await run(name, supabaseSchemas);
    },
    /** A copy of a database that nobody is connected to. */
    async copy(template: string, name: string): Promise<void> {
      await run("postgres", `drop database if exists ${name} with (force)`);
      await run("postgres", `create database ${name} owner postgres template ${template}`);
    },
  };
}
